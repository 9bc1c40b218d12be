import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { MatchView } from "../src/api/types";
import { App } from "../src/shell/App";
import { availableActions, pointBadges, movesFrom, movesOfSelection, movesTo, countOpenSteps } from "../src/views/play/moves";
import { textFromPath } from "../src/views/Workbench";
import { drawWithCaption, GAME, MOVES, position, serve } from "./toy";

function open(address: string) {
  history.replaceState(null, "", address);
  return render(<App />);
}

function press(container: HTMLElement, square: string) {
  const rect = container.querySelector(`[data-square="${square}"] rect`)!;
  fireEvent.pointerDown(rect, { button: 0 });
  fireEvent.pointerUp(rect, { button: 0 });
}

const text = () => screen.findByRole("textbox", { name: "Position text" });

describe("the shell", () => {
  it("names the views and marks the one that is open", async () => {
    serve();
    open("/library");
    expect(await screen.findByRole("heading", { name: "Library" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Library" })).toHaveAttribute("aria-current", "page");
  });

  it("changes views without loading the page", async () => {
    serve();
    open("/");
    await userEvent.click(await screen.findByRole("link", { name: "Library" }));
    expect(location.pathname).toBe("/library");
    expect(await screen.findByText("No positions yet")).toBeVisible();
  });

  it("says when the service cannot be reached, and tries again", async () => {
    serve({ "GET /games": () => new Response("", { status: 503 }) });
    open("/");
    expect(await screen.findByRole("alert")).toHaveTextContent("503");
    serve();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await text()).toBeVisible();
  });

  it("changes colours and remembers it", async () => {
    serve();
    open("/");
    await userEvent.click(screen.getByRole("button", { name: "Dark colours" }));
    expect(document.documentElement.dataset.theme).toBe("dark");
    expect(localStorage.getItem("forsyth.theme")).toBe("dark");
  });

  it("knows which pages there are", async () => {
    serve();
    open("/nowhere");
    expect(await screen.findByText("Page not found")).toBeVisible();
  });
});

/** jsdom opens no details by itself. */
async function openForms(): Promise<void> {
  const details = (await screen.findByText("Forms")).closest("details")!;
  details.open = true;
  fireEvent(details, new Event("toggle"));
}

describe("the workbench", () => {
  it("reads the start position of the first game when nothing is given", async () => {
    serve();
    open("/");
    expect(await text()).toHaveValue(GAME.start);
    expect(await screen.findByText("Valid")).toBeVisible();
    expect(screen.queryByText("fenz_y")).toBeNull();
    await openForms();
    expect(await screen.findByText("fenz_y")).toBeInTheDocument();
  });

  it("reads a shared text", async () => {
    serve();
    open(`/p/${encodeURIComponent("a.A w")}`);
    expect(await text()).toHaveValue("a.A w");
  });

  it("unwraps a shared text", async () => {
    serve({
      "POST /read": ({ text: given }) => ({
        text: given, game: "toy", form: given.startsWith("fenz_") ? "fenz" : "plain", ok: true, canonical: "a.A w", state_id: null, key: null, diagnostics: [], position: position("a.A w"),
      }),
      "POST /forms": () => ({ forms: { plain: "a.A w", link: "/p/fenz_y" } }),
    });
    open("/p/fenz_y");
    await waitFor(async () => expect(await text()).toHaveValue("a.A w"));
  });

  it("decodes links that are no links", () => {
    expect(textFromPath("/p/a%2Fb")).toBe("a/b");
    expect(textFromPath("/p/%zz")).toBe("%zz");
    expect(textFromPath("/play")).toBeNull();
  });

  it("underlines a mistake, lights it up, and fixes it", async () => {
    serve();
    const { container } = open(`/?text=${encodeURIComponent("Axa w")}`);
    const finding = (await screen.findByText("'x' is not a stone")).closest("li")!;
    expect(screen.getByText("1 error")).toBeVisible();
    expect(container.querySelector("mark")).toHaveTextContent("x");
    expect(await text()).toHaveAttribute("aria-invalid", "true");
    fireEvent.mouseEnter(finding);
    expect(container.querySelector("mark")).toHaveClass("lit");
    await waitFor(() => expect(container.querySelector('[data-sign~="lit"]')).not.toBeNull());
    await userEvent.click(within(finding).getByRole("button", { name: /^Fix: replace/ }));
    expect(await text()).toHaveValue("A.a w");
    expect(await screen.findByText("Valid")).toBeVisible();
  });

  it("lights up the finding of a square", async () => {
    serve();
    const { container } = open(`/?text=${encodeURIComponent("Axa w")}`);
    await screen.findByText("'x' is not a stone");
    await waitFor(() => expect(container.querySelector('[data-square="b1"]')).not.toBeNull());
    fireEvent.pointerMove(container.querySelector('[data-square="b1"] rect')!);
    expect(container.querySelector(".finding")).toHaveClass("lit");
  });

  it("fixes everything at once", async () => {
    serve();
    open(`/?text=${encodeURIComponent("Axx w")}`);
    await userEvent.click(await screen.findByRole("button", { name: "Fix all" }));
    await waitFor(async () => expect(await text()).toHaveValue("A.. w"));
  });

  it("leads on to a game only from a text that can be played", async () => {
    serve();
    open(`/?text=${encodeURIComponent("Axa w")}`);
    await screen.findByText("'x' is not a stone");
    const onward = screen.getByRole("link", { name: "Play from here" });
    expect(onward).toHaveAttribute("aria-disabled", "true");
    expect(onward).not.toHaveAttribute("href");
    await userEvent.click(onward);
    expect(location.pathname).not.toBe("/play");
    await userEvent.click(screen.getByRole("button", { name: "The start" }));
    await screen.findByText("Valid");
    expect(screen.getByRole("link", { name: "Play from here" })).toHaveAttribute("href", "/play?text=A.a%20w&game=toy");
  });

  it("reads a text as one of a variant", async () => {
    const calls = serve();
    open("/");
    await screen.findByText("Valid");
    await userEvent.selectOptions(screen.getByLabelText("Variant"), "wild");
    await waitFor(() => expect(calls.findLast(({ key }) => key === "POST /read")?.body).toMatchObject({ variant: "wild" }));
    await waitFor(() => expect(location.search).toBe("?variant=wild"));
    expect(screen.getByRole("link", { name: "Play from here" }).getAttribute("href")).toContain("&variant=wild");
  });

  it("needs one request more to draw what could be read of a text", async () => {
    const calls = serve();
    open("/");
    await openForms();
    await screen.findByText("fenz_y");
    const before = calls.length;
    await userEvent.click(screen.getByRole("button", { name: "A wrong letter" }));
    expect(await screen.findByText("The board shows the readable part of the text. Hatched squares could not be read.")).toBeVisible();
    expect(calls.slice(before).map(({ key, body }) => `${key} ${body.text}`)).toEqual(["POST /read Axa w", "POST /partial Axa w"]);
  });

  it("asks once for a burst of typing", async () => {
    const calls = serve();
    open("/");
    const field = await text();
    await screen.findByText("Valid");
    const before = calls.filter(({ key }) => key === "POST /read").length;
    for (const typed of ["A", "A.", "A.A", "A.A w"]) fireEvent.change(field, { target: { value: typed } });
    await waitFor(() => expect(calls.filter(({ key }) => key === "POST /read").at(-1)?.body.text).toBe("A.A w"));
    expect(calls.filter(({ key }) => key === "POST /read").length).toBe(before + 1);
  });

  it("shows an example, and clears", async () => {
    serve();
    open("/");
    await userEvent.click(await screen.findByRole("button", { name: "A wrong letter" }));
    expect(await text()).toHaveValue("Axa w");
    await userEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(screen.getByText("Paste a position, or pick an example.")).toBeVisible();
  });

  it("announces findings", async () => {
    serve();
    open(`/?text=${encodeURIComponent("Axa w")}`);
    await waitFor(() => expect(screen.getByTestId("announcer")).toHaveTextContent("1 error. 'x' is not a stone"));
  });

  it("saves to the library", async () => {
    const calls = serve({ "POST /library": () => ({ id: 1 }) });
    open("/");
    await screen.findByText("Valid");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await userEvent.clear(screen.getByLabelText("Name"));
    await userEvent.type(screen.getByLabelText("Name"), "Mine");
    await userEvent.type(screen.getByLabelText(/Tags/), "a, b, a");
    await userEvent.click(screen.getAllByRole("button", { name: "Save" }).at(-1)!);
    expect(await screen.findByText("See the library")).toBeVisible();
    expect(calls.at(-1)).toMatchObject({ key: "POST /library", body: { text: GAME.start, game: "toy", name: "Mine", tags: ["a", "b"] } });
  });
});

describe("moves", () => {
  it("begin on a cell or its group and end likewise", () => {
    expect(movesFrom(MOVES, "t.1").map(({ move }) => move)).toEqual(["tA", "ta"]);
    expect(movesOfSelection(MOVES, { cell: "t.1", piece: "a" }).map(({ move }) => move)).toEqual(["ta"]);
    expect(movesOfSelection(MOVES, { cell: "t", piece: "?" })).toHaveLength(2);
    expect(movesTo(MOVES, "c1").map(({ move }) => move)).toEqual(["Ac"]);
  });
  it("are steps of an open turn while its player is still to move", () => {
    const ply = (player: number) => ({ number: 1, player, move: "m", after: "", from: null, to: null, captured: null, piece: "" });
    const view = { ...position("A.a w", { actions: ["commit"] }), start: "", history: [ply(1), ply(0), ply(0)], captured: [], result: "*", record: "", at: 3 };
    expect(countOpenSteps(view)).toBe(2);
    expect(countOpenSteps({ ...view, player: 1 })).toBe(0);
    expect(countOpenSteps({ ...view, actions: [] })).toBe(0);
  });

  it("say what they would score where only one is meant", () => {
    const scored = (to: string, points: number) => ({ ...MOVES[0]!, to, prospect: { points, words: `${points} points` } });
    const badges = pointBadges([scored("a1", 3), scored("b1", -2), scored("c1", 0), scored("d1", 1), scored("d1", 2), MOVES[0]!]);
    expect([...badges].map(([cell, { text }]) => [cell, text])).toEqual([["a1", "+3"], ["b1", "\u22122"], ["c1", "0"]]);
    expect(badges.get("a1")?.spoken).toBe("3 points");
  });

  it("that began here are cancelled in one way only", () => {
    const view = { actions: ["commit", "cancel"] } as MatchView;
    expect(availableActions(view, 2)).toEqual(["commit"]);
    expect(availableActions(view, 0)).toEqual(["commit", "cancel"]);
  });
});

describe("play", () => {
  const played = () => [...document.querySelectorAll(".move")].map((move) => move.textContent);

  async function board() {
    const view = open("/play?game=toy");
    await waitFor(() => expect(view.container.querySelector('[data-square="a1"]')).not.toBeNull());
    await screen.findByText("White to move");
    return view;
  }

  it("plays a move by two clicks", async () => {
    serve();
    const { container } = await board();
    press(container, "a1");
    expect(container.querySelectorAll('[data-sign~="target"]')).toHaveLength(2);
    press(container, "c1");
    await waitFor(() => expect(played()).toEqual(["Ac"]));
    expect(screen.getByTestId("announcer")).toHaveTextContent("Ac played.");
  });

  it("asks which move when several fit", async () => {
    serve();
    const { container } = await board();
    press(container, "a1");
    press(container, "b1");
    await userEvent.click(within(screen.getByRole("group", { name: "Which move?" })).getByRole("button", { name: "Ab+" }));
    await waitFor(() => expect(played()).toEqual(["Ab+"]));
  });

  it("narrows a group to the piece that is taken", async () => {
    serve();
    const { container } = await board();
    press(container, "t");
    await userEvent.click(await within(screen.getByRole("group", { name: "Which piece?" })).findByText("black stone"));
    press(container, "b1");
    await waitFor(() => expect(played()).toEqual(["ta"]));
  });

  it("takes back, plays again and steps", async () => {
    serve();
    const { container } = await board();
    for (const _ of [1, 2]) {
      const count = played().length;
      press(container, "a1");
      press(container, "c1");
      await waitFor(() => expect(played()).toHaveLength(count + 1));
    }
    const shown = () => [...document.querySelectorAll(".move")].findIndex((move) => move.hasAttribute("aria-current"));
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(shown()).toBe(0));
    expect(played()).toHaveLength(2);
    await userEvent.click(screen.getByRole("button", { name: "Redo" }));
    await waitFor(() => expect(shown()).toBe(1));
    fireEvent.keyDown(document.body, { key: "ArrowLeft" });
    await waitFor(() => expect(document.querySelectorAll(".move")[0]).toHaveAttribute("aria-current"));
    await userEvent.click(screen.getByRole("button", { name: "To the end" }));
    await waitFor(() => expect(document.querySelectorAll(".move")[1]).toHaveAttribute("aria-current"));
  });

  it("offers actions, and the cancelling of an open turn", async () => {
    serve({
      "POST /match": ({ moves, at }) => ({
        ...position(GAME.start, { actions: at ? ["commit"] : [] }),
        start: GAME.start,
        history: moves.map((move: string) => ({ number: 1, player: 0, move, after: "", from: null, to: null, captured: null, piece: "" })),
        captured: [],
        result: null,
        record: "",
        at,
      }),
    });
    const { container } = await board();
    press(container, "a1");
    press(container, "c1");
    await userEvent.click(await screen.findByRole("button", { name: "Cancel turn" }));
    await waitFor(() => expect(document.querySelector(".move[aria-current]")).toBeNull());
    press(container, "a1");
    press(container, "c1");
    await userEvent.click(await screen.findByRole("button", { name: "Commit" }));
    await waitFor(() => expect(played()).toEqual(["Ac", "commit"]));
  });

  it("exports and imports records", async () => {
    serve({
      "POST /record/read": ({ record }) => ({
        ok: record === "good", game: "toy", variant: "plain", tags: {}, start: GAME.start, moves: ["Ab", "Ac"], line: [{ move: "Ab" }, { move: "Ac" }], comments: [], result: "*",
        diagnostics: record === "good" ? [] : [{ ...position, severity: "error", message: "no move" }],
      }),
    });
    await board();
    await userEvent.click(screen.getByRole("button", { name: "Export" }));
    await waitFor(() => expect(screen.getByLabelText("Record")).toHaveValue("record of "));
    await userEvent.click(screen.getByRole("button", { name: "Import" }));
    await userEvent.type(screen.getByLabelText("Record"), "bad");
    await userEvent.click(screen.getByRole("button", { name: "Read" }));
    expect(await screen.findByText("no move")).toBeVisible();
    await userEvent.clear(screen.getByLabelText("Record"));
    await userEvent.type(screen.getByLabelText("Record"), "good");
    await userEvent.click(screen.getByRole("button", { name: "Read" }));
    await waitFor(() => expect(played()).toEqual(["Ab", "Ac"]));
  });

  it("begins a new game", async () => {
    const calls = serve({ "POST /games/toy/new": () => position("a.A w", { variant: "wild" }) });
    await board();
    await userEvent.click(screen.getByRole("button", { name: "New game" }));
    await userEvent.selectOptions(screen.getByLabelText("Variant"), "wild");
    await userEvent.type(screen.getByLabelText(/Seed/), "7");
    await userEvent.click(screen.getByRole("button", { name: "Begin" }));
    await waitFor(() => expect(calls.at(-1)).toMatchObject({ key: "POST /match", body: { start: "a.A w", variant: "wild" } }));
    expect(calls.find(({ key }) => key === "POST /games/toy/new")?.body).toEqual({ variant: "wild", seed: 7 });
  });

  it("shows a start that cannot be played, and why", async () => {
    serve({
      "POST /match": ({ start }) =>
        start ? new Response(JSON.stringify({ error: "too many stones", code: "X" }), { status: 400 }) : { ...position(GAME.start), start: "", history: [], result: null, record: "", at: 0 },
    });
    const { container } = open(`/play?game=toy&text=${encodeURIComponent("AAA w")}`);
    expect(await screen.findByText(/too many stones/)).toBeVisible();
    await waitFor(() => expect(container.querySelector('[data-square="a1"]')).not.toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Begin a new game" }));
    expect(await screen.findByText("White to move")).toBeVisible();
  });

  it("says who moves once, in the words below the drawing", async () => {
    serve({ "POST /match": () => ({ ...position(GAME.start, { ...drawWithCaption("White to move · move 1") }), start: "", history: [], result: null, record: "", at: 0 }) });
    open("/play?game=toy");
    expect(await screen.findByText("White to move · move 1")).toBeVisible();
    expect(screen.getAllByText(/to move/)).toHaveLength(1);
  });

  it("tries again when the service could not be reached", async () => {
    serve();
    const { container } = open("/play?game=toy");
    await waitFor(() => expect(container.querySelector(".origin")).not.toBeNull());
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    press(container, "a1");
    press(container, "c1");
    expect(await screen.findByRole("alert")).toHaveTextContent("The service cannot be reached.");
    serve();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("button", { name: "Ac" })).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("asks the service once for a move", async () => {
    const calls = serve();
    const { container } = open("/play?game=toy");
    await waitFor(() => expect(container.querySelector(".origin")).not.toBeNull());
    await screen.findByText("No moves yet. Click, drag or type.");
    const before = calls.length;
    press(container, "a1");
    press(container, "c1");
    await screen.findByRole("button", { name: "Ac" });
    expect(calls.slice(before).map(({ key }) => key)).toEqual(["POST /match"]);
  });

  it("shows how a game ended", async () => {
    serve({
      "POST /match": () => ({ ...position(GAME.start, { outcome: { result: "1-0", reason: "all stones" }, moves: [] }), start: "", history: [], result: "1-0", record: "", at: 0 }),
    });
    open("/play?game=toy");
    expect(await screen.findByText("1-0")).toBeVisible();
    expect(screen.getByText(/White wins: all stones/)).toBeVisible();
  });

  it("names the rules that are left to the players", async () => {
    serve();
    open("/play?game=toy");
    expect(await screen.findByTestId("not-judged")).toHaveTextContent("Rules that are not checked: stalling.");
  });

  it("says nothing about them where everything is judged", async () => {
    serve({ "GET /games": () => ({ games: [{ ...GAME, not_judged: [] }] }) });
    open("/play?game=toy");
    await screen.findByTestId("turn");
    expect(screen.queryByTestId("not-judged")).toBeNull();
  });
});

describe("played here", () => {
  const INDEX = { game: "toy", variant: "plain", games: 3, positions: 5 };
  const GAMES = () => ({ games: [GAME], index: INDEX });
  const game = (number: number, site: string | null) => ({
    game: number,
    players: [{ name: `First ${number}`, rating: 2000 }, { name: null, rating: null }],
    result: "1-0",
    date: "2024.01.31",
    event: null,
    site,
    round: null,
    plies: 9,
  });
  const played = (path: string) => ({
    text: new URL(path, "http://x").searchParams.get("text"),
    game: "toy",
    variant: "plain",
    key: "0",
    side: "White",
    games: 3,
    wins: 1,
    draws: 0,
    losses: 1,
    ended: 1,
    moves: [{ move: "Ac", games: 2, wins: 1, draws: 0, losses: 1, rating: 2100 }],
    latest: [game(2, "https://games.example/2")],
    strongest: [game(1, null)],
  });

  it("says what was played, and plays it", async () => {
    const calls = serve({ "GET /games": GAMES, "GET /explore": (_body, path) => played(path) });
    open("/play?game=toy");
    const panel = await screen.findByTestId("played");
    expect(await within(panel).findByRole("img", { name: "Won 50 %, drawn 0 %, lost 50 %" })).toBeVisible();
    expect(within(panel).getByText("67 %")).toBeVisible();
    expect(within(panel).getByText("1 game ended here.")).toBeVisible();
    expect(within(panel).getByText("First 1 (2000) – ?")).toBeVisible();
    await userEvent.click(within(panel).getByRole("button", { name: "Latest" }));
    expect(within(panel).getByRole("link", { name: "First 2 (2000) – ?" })).toHaveAttribute("href", "https://games.example/2");
    await userEvent.click(within(panel).getByRole("button", { name: "Ac" }));
    await waitFor(() => expect(calls.filter(({ key }) => key === "POST /match").at(-1)?.body.moves).toEqual(["Ac"]));
  });

  it("plays in the workbench too, and shows where nobody came", async () => {
    serve({
      "GET /games": GAMES,
      "GET /explore": (_body, path) => (path.includes("AB") ? { ...played(path), games: 0, moves: [], latest: [], strongest: [] } : played(path)),
      "POST /play": () => ({ success: true, game: "toy", move: "Ac", after: "AB w", position: position("AB w") }),
    });
    open("/");
    const panel = await screen.findByTestId("played");
    await userEvent.click(await within(panel).findByRole("button", { name: "Ac" }));
    await waitFor(async () => expect(await text()).toHaveValue("AB w"));
    expect(await screen.findByText("No game in the index contains this position.")).toBeVisible();
  });

  it("is not there without an index, nor for another game", async () => {
    const calls = serve({ "GET /games": () => ({ games: [GAME], index: { ...INDEX, game: "other" } }) });
    open("/play?game=toy");
    await screen.findByTestId("turn");
    expect(screen.queryByTestId("played")).toBeNull();
    expect(calls.some(({ key }) => key.startsWith("GET /explore"))).toBe(false);
  });
});

describe("edit", () => {
  async function board() {
    const view = open("/edit?game=toy");
    await screen.findByRole("button", { name: "white stone" });
    return view;
  }

  it("puts, erases and moves", async () => {
    serve();
    const { container } = await board();
    await userEvent.click(screen.getByRole("button", { name: "white stone" }));
    press(container, "b1");
    await waitFor(async () => expect(await text()).toHaveValue("AAa w"));
    await userEvent.click(screen.getByRole("button", { name: "Erase" }));
    press(container, "a1");
    press(container, "c1");
    await waitFor(async () => expect(await text()).toHaveValue(".A. w"));
    await userEvent.click(screen.getByRole("button", { name: "Move" }));
    press(container, "b1");
    press(container, "c1");
    await waitFor(async () => expect(await text()).toHaveValue("..A w"));
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(async () => expect(await text()).toHaveValue(".A. w"));
  });

  it("sets fields", async () => {
    serve();
    await board();
    await userEvent.selectOptions(screen.getByLabelText("Side"), "b");
    await waitFor(async () => expect(await text()).toHaveValue("A.a b"));
  });

  it("begins with the start of a variant, and leaves an edited text alone", async () => {
    const start = (variant?: string) => (variant === "wild" ? "AAa w" : GAME.start);
    const calls = serve({
      "POST /read": ({ text: given, variant }) => ({
        text: given, game: "toy", form: "plain", ok: true, canonical: given === "start" ? start(variant) : given, state_id: null, key: null, diagnostics: [], position: position(given),
      }),
    });
    const { container } = await board();
    await userEvent.selectOptions(screen.getByLabelText("Variant"), "wild");
    await waitFor(async () => expect(await text()).toHaveValue("AAa w"));
    await waitFor(() => expect(calls.findLast(({ key }) => key === "POST /edit")?.body).toMatchObject({ text: "AAa w", variant: "wild" }));
    await userEvent.click(screen.getByRole("button", { name: "Erase" }));
    press(container, "b1");
    await waitFor(async () => expect(await text()).toHaveValue("A.a w"));
    await userEvent.selectOptions(screen.getByLabelText("Variant"), "plain");
    await waitFor(() => expect(calls.at(-1)?.body).toMatchObject({ text: "A.a w", variant: "plain" }));
    expect(await text()).toHaveValue("A.a w");
  });

  it("says why a change is refused and takes it back", async () => {
    serve();
    const { container } = await board();
    serve({ "POST /edit": () => new Response(JSON.stringify({ error: "no room", code: "X" }), { status: 400 }) });
    await userEvent.click(screen.getByRole("button", { name: "white stone" }));
    press(container, "b1");
    expect(await screen.findByText("no room", { selector: "p" })).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Side"), "b");
    await waitFor(() => expect(screen.getByLabelText("Side")).toHaveValue("w"));
  });

  it("shows what is wrong with a text that cannot be drawn", async () => {
    serve();
    await board();
    serve({ "POST /edit": () => new Response(JSON.stringify({ error: "unreadable", code: "X" }), { status: 400 }) });
    fireEvent.change(await text(), { target: { value: "Axa w" } });
    expect(await screen.findByText("'x' is not a stone")).toBeVisible();
  });
});

describe("the library", () => {
  const saved = { id: "1", state_id: "s", game: "toy", text: "A.a w", name: "First", tags: ["study"], note: "", created: "", updated: "" };
  const page = { positions: [saved], next: null, total: 1 };

  it("shows positions with thumbnails, names and tags", async () => {
    serve({ "GET /library": () => page });
    const { container } = open("/library");
    expect(await screen.findByRole("heading", { name: "First" })).toBeVisible();
    expect(screen.getByRole("button", { name: "study" })).toBeVisible();
    expect(container.querySelector("img")?.getAttribute("src")).toContain("/api/v1/draw.svg?text=A.a+w");
    expect(screen.getByText("1 position")).toBeVisible();
  });

  it("searches, and says when nothing is found", async () => {
    const calls = serve({ "GET /library": (_, path) => (path.includes("q=") ? { positions: [], next: null, total: 0 } : page) });
    open("/library");
    await screen.findByRole("heading", { name: "First" });
    await userEvent.type(screen.getByRole("searchbox"), "zz");
    expect(await screen.findByText("Nothing found")).toBeVisible();
    await waitFor(() => expect(calls.at(-1)?.path).toContain("q=zz"));
    await userEvent.click(screen.getByRole("button", { name: "Show everything" }));
    expect(await screen.findByRole("heading", { name: "First" })).toBeVisible();
  });

  it("shows the note of a position and changes it", async () => {
    const noted = { ...saved, note: "An old thought" };
    const calls = serve({ "GET /library": () => ({ ...page, positions: [noted] }), "PATCH /library/*": () => noted });
    open("/library");
    expect(await screen.findByText("An old thought")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Change First" }));
    expect(screen.getByLabelText("Name")).toHaveFocus();
    await userEvent.clear(screen.getByLabelText("Note"));
    await userEvent.type(screen.getByLabelText("Note"), "A new one ");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(calls.find(({ key }) => key.startsWith("PATCH"))?.body.note).toBe("A new one"));
  });

  it("offers the tags of positions that are not on the page", async () => {
    const other = { ...saved, id: "2", tags: ["hidden"] };
    const calls = serve({
      "GET /library": (_, path) => {
        if (path.includes("after=")) return { positions: [other], next: null, total: 2 };
        return { ...page, next: "n", total: 2 };
      },
    });
    open("/library");
    const tags = await screen.findByLabelText("Tag");
    expect(await within(tags).findByRole("option", { name: "hidden" })).toBeInTheDocument();
    await userEvent.selectOptions(tags, "hidden");
    await waitFor(() => expect(calls.some(({ path }) => path.includes("tag=hidden"))).toBe(true));
  });

  it("changes and deletes after asking", async () => {
    const calls = serve({ "GET /library": () => page, "PATCH /library/*": () => saved, "DELETE /library/*": () => null });
    open("/library");
    await userEvent.click(await screen.findByRole("button", { name: "Change First" }));
    await userEvent.clear(screen.getByLabelText("Name"));
    await userEvent.type(screen.getByLabelText("Name"), "Second");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(calls.find(({ key }) => key.startsWith("PATCH"))?.body).toEqual({ name: "Second", tags: ["study"], note: "" }));
    await userEvent.click(await screen.findByRole("button", { name: "Delete First" }));
    expect(calls.some(({ key }) => key.startsWith("DELETE"))).toBe(false);
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(calls.some(({ key }) => key === "DELETE /library/1")).toBe(true));
  });
});
