import { describe, expect, it } from "vitest";
import { siblingPath, promoteVariation, setComment, switchGlyph, removeMove, commentText } from "../src/views/play/edits";
import { listItems, labelVariation, moveText, type Item } from "../src/views/play/moveRows";
import { confirmLine, newGame, goToPath, currentLine, recordMoves, buildTree, playMove, type Game, type Node } from "../src/views/play/tree";

/** A game whose moves are letters: `a b (c (d) e) f`. */
function game(line: Parameters<typeof buildTree>[0], path: number[]): Game {
  const children = buildTree(line);
  return goToPath({ ...newGame("toy", "", ""), children }, path);
}

const BRANCHED = [
  { move: "a", number: 1, player: 0, variations: [[{ move: "c", number: 1, player: 0 }, { move: "d", number: 1, player: 1 }], [{ move: "e", number: 1, player: 0 }]] },
  { move: "b", number: 1, player: 1 },
  { move: "f", number: 2, player: 0 },
];

const board = (one: Game) => currentLine(one).slice(0, one.playedCount).map(({ move }) => move).join("");
const main = (one: Game) => recordMoves(one.children).map(({ move }) => move).join("");
const silent = () => false;
const said = (items: Item[]) => items.map((item) => ("label" in item ? item.label : item.kind));

describe("edits of a tree", () => {
  it("puts one glyph and keeps the others", () => {
    const first = switchGlyph(game([{ move: "a", nags: [14, 2] }], [0]), [0], 1);
    expect(first.children[0]!.nags).toEqual([1, 14]);
    expect(switchGlyph(first, [0], 1).children[0]!.nags).toEqual([14]);
    expect(first.changed).toBe(true);
  });

  it("writes comments and keeps their commands", () => {
    const before = game([{ move: "a", after: ["[%clk 0:00:01] good", "really"] }], [0]);
    expect(commentText(before.children[0]!.after)).toBe("good really");
    const after = setComment(before, { path: [0], where: "after" }, "  bad\nmove ");
    expect(after.children[0]!.after).toEqual(["[%clk 0:00:01] bad move"]);
    expect(setComment(after, { path: [0], where: "after" }, "").children[0]!.after).toEqual(["[%clk 0:00:01]"]);
    expect(setComment(before, { path: [], where: "after" }, "x").comments).toEqual(["x"]);
  });

  it("promotes the nearest variation and leaves the board alone", () => {
    const before = game(BRANCHED, [1, 0]);
    expect(board(before)).toBe("cd");
    const after = promoteVariation(before, [1, 0]);
    expect([board(after), main(after)]).toEqual(["cd", "cd"]);
    expect(after.children.map(({ move }) => move)).toEqual(["c", "a", "e"]);
    expect(promoteVariation(after, [0])).toBe(after);
    const other = promoteVariation(game(BRANCHED, [0, 0]), [1]);
    expect([board(other), main(other)]).toEqual(["ab", "cd"]);
    expect(promoteVariation(game(BRANCHED, [2]), [2]).children.map(({ move }) => move)).toEqual(["a", "e", "c"]);
  });

  it("deletes a move with what follows, and the board follows", () => {
    expect(board(removeMove(game(BRANCHED, [1, 0]), [1]))).toBe("");
    expect(board(removeMove(game(BRANCHED, [0, 0]), [0, 0]))).toBe("a");
    expect(board(removeMove(game(BRANCHED, [2]), [1]))).toBe("e");
    expect(board(removeMove(game(BRANCHED, [0, 0, 0]), [2]))).toBe("abf");
    const promotedFirst = removeMove(game(BRANCHED, [0, 0]), [0]);
    expect([board(promotedFirst), main(promotedFirst)]).toEqual(["", "cd"]);
    expect(currentLine(promotedFirst).map(({ move }) => move)).toEqual(["c", "d"]);
  });

  it("finds the moves in the place of another", () => {
    const one = game(BRANCHED, []);
    expect(siblingPath(one, [0], 1)).toEqual([1]);
    expect(siblingPath(one, [2], 1)).toBeNull();
    expect(siblingPath(one, [0], -1)).toBeNull();
    expect(siblingPath(one, [], 1)).toBeNull();
  });
});

describe("rows of moves", () => {
  it("begins rows by the numbers of the service", () => {
    const line = [{ move: "a", number: 34, player: 1 }, { move: "b", number: 35, player: 0 }, { move: "c", number: 35, player: 1 }];
    expect(said(listItems(buildTree(line), silent))).toEqual(["34…", "35."]);
  });

  it("writes a number again behind other lines, and once where it does not change", () => {
    expect(said(listItems(game(BRANCHED, []).children, silent))).toEqual(["1.", "variation", "variation", "1…", "2."]);
    const round = [0, 1, 0, 1].map((player, index) => ({ move: `m${index}`, number: 1, player }));
    expect(said(listItems(buildTree(round), silent))).toEqual(["1.", ""]);
  });

  it("keeps the steps of a turn together and gives an action a line", () => {
    const line = [
      { move: "a", number: 1, player: 0 },
      { move: "b", number: 1, player: 0, step: true },
      { move: "deal:xyz", number: 2, player: 0, action: "deal" },
      { move: "c", number: 2, player: 0 },
    ];
    const items = listItems(buildTree(line), silent);
    expect(items.map(({ kind }) => kind)).toEqual(["row", "action", "row"]);
    expect(said(items)).toEqual(["1.", "2.", ""]);
    expect(items[0]!.kind === "row" && items[0]!.turns.map((turn) => turn.length)).toEqual([2]);
    expect(moveText(buildTree(line.slice(2))[0]!)).toBe("deal");
  });

  it("labels the moves of another line", () => {
    const variation = game(BRANCHED, []).children[1]!;
    expect(labelVariation({ node: variation, path: [1] }, silent).map(({ label }) => label)).toEqual(["1.", ""]);
  });

  it("puts a move where it is expected to stand, and asks nothing more when the service agrees", () => {
    const one = playMove(newGame("toy", "", ""), "a", { number: 1, player: 0 });
    const two = playMove(one, "b", { number: 1, player: 1 });
    expect(said(listItems(two.children, silent))).toEqual(["1."]);
    const ply = { after: "", from: null, to: null, captured: null, piece: "", number: 1 };
    expect(confirmLine(two, [{ ...ply, move: "a", player: 0 }, { ...ply, move: "b", player: 1 }])).toBe(two);
  });

  it("takes steps and actions from the service", () => {
    const one = playMove(playMove(newGame("toy", "", ""), "a"), "b");
    const ply = { after: "", from: null, to: null, captured: null, piece: "", number: 1, player: 0 };
    const known = confirmLine(one, [{ ...ply, move: "a" }, { ...ply, move: "b", step: true }]);
    const nodes: Node[] = currentLine(known);
    expect(nodes.map(({ step }) => Boolean(step))).toEqual([false, true]);
    expect(confirmLine(known, [{ ...ply, move: "a" }, { ...ply, move: "b", step: true }])).toBe(known);
  });
});
