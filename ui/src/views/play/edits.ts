/**
 * Edits of a game's tree: glyphs, comments, order, and moves taken out. Each gives another game; the one before is the undo.
 *
 * A comment is edited as its words; commands in it, such as clocks, stay.
 */

import { lineTo, onward, type Game, type Node } from "./tree";

/** The glyphs that stand behind a move, by their numbers in a record. */
export const GLYPHS: readonly { nag: number; sign: string; name: string }[] = [
  { nag: 1, sign: "!", name: "Good move" },
  { nag: 2, sign: "?", name: "Mistake" },
  { nag: 3, sign: "!!", name: "Brilliant move" },
  { nag: 4, sign: "??", name: "Blunder" },
  { nag: 5, sign: "!?", name: "Interesting move" },
  { nag: 6, sign: "?!", name: "Dubious move" },
];

export type Where = "before" | "after";

/** A comment: that of a move, or that before all moves where there is none. */
export interface CommentPlace {
  path: readonly number[];
  where: Where;
}

export function samePlace(a: CommentPlace | null, b: CommentPlace): boolean {
  return a?.where === b.where && a.path.join() === b.path.join();
}

const COMMAND = /\[%[^[\]]*\]/g;

/** What comments say to people: everything but the commands. */
export function wordsOf(texts: readonly string[] | undefined): string {
  return (texts ?? []).map((text) => text.replace(COMMAND, " ").replace(/\s+/g, " ").trim()).filter(Boolean).join(" ");
}

function withWords(texts: readonly string[] | undefined, words: string): string[] {
  const commands = (texts ?? []).flatMap((text) => text.match(COMMAND) ?? []);
  const whole = [...commands, words.replace(/\s+/g, " ").trim()].filter(Boolean).join(" ");
  return whole ? [whole] : [];
}

/** The tree with other siblings where a path ends. */
function withSiblings(children: readonly Node[], path: readonly number[], change: (siblings: readonly Node[]) => Node[]): Node[] {
  const [index, ...rest] = path;
  if (!rest.length) return change(children);
  return children.map((node, at) => (at === index ? { ...node, children: withSiblings(node.children, rest, change) } : node));
}

function withNode(game: Game, path: readonly number[], change: (node: Node) => Node): Game {
  const children = withSiblings(game.children, path, (siblings) =>
    siblings.map((node, at) => (at === path[path.length - 1] ? change(node) : node)),
  );
  return { ...game, children, changed: true };
}

/** Put a glyph behind a move, or take it away where it stands there; other glyphs stay. */
export function withGlyph(game: Game, path: readonly number[], nag: number): Game {
  return withNode(game, path, (node) => {
    const now = node.nags ?? [];
    const others = now.filter((one) => !GLYPHS.some((glyph) => glyph.nag === one));
    return { ...node, nags: now.includes(nag) ? others : [nag, ...others] };
  });
}

export function commentAt(game: Game, { path, where }: CommentPlace): string {
  const node = lineTo(game, path).at(-1);
  return wordsOf(path.length ? node?.[where] : game.comments);
}

export function withComment(game: Game, { path, where }: CommentPlace, words: string): Game {
  if (!path.length) return { ...game, comments: withWords(game.comments, words), changed: true };
  return withNode(game, path, (node) => ({ ...node, [where]: withWords(node[where], words) }));
}

/** The place of the nearest move on the way that is not the main one of its siblings. */
export function variationOf(path: readonly number[]): readonly number[] | null {
  const depth = path.findLastIndex((index) => index > 0);
  return depth < 0 ? null : path.slice(0, depth + 1);
}

/** The variation of a move one place up among its siblings; what is on the board stays there. */
export function promoted(game: Game, path: readonly number[]): Game {
  const place = variationOf(path);
  if (!place) return game;
  const depth = place.length - 1;
  const index = place[depth]!;
  const children = withSiblings(game.children, place, (siblings) => {
    const [up, down] = [siblings[index]!, siblings[index - 1]!];
    return siblings.map((node, at) => (at === index ? down : at === index - 1 ? up : node));
  });
  const follow = (at: number) => (at === index ? index - 1 : at === index - 1 ? index : at);
  const through = place.slice(0, depth).every((one, at) => game.path[at] === one);
  const shown = through ? game.path.map((one, at) => (at === depth ? follow(one) : one)) : game.path;
  return { ...game, children, path: shown, changed: true };
}

/** The game without a move and all that follows it; the board goes to the move before it where it showed one of them. */
export function withoutMove(game: Game, path: readonly number[]): Game {
  const depth = path.length - 1;
  const index = path[depth]!;
  const children = withSiblings(game.children, path, (siblings) => siblings.filter((_, at) => at !== index));
  const next = { ...game, children, changed: true };
  const through = path.slice(0, depth).every((one, at) => game.path[at] === one);
  const shown = game.path[depth];
  if (!through || shown === undefined || shown < index) return next;
  if (shown > index) return { ...next, path: game.path.map((one, at) => (at === depth ? one - 1 : one)) };
  const before = path.slice(0, depth);
  const siblings = depth ? (lineTo(next, before).at(-1)?.children ?? []) : children;
  return { ...next, path: [...before, ...onward(siblings)], at: Math.min(game.at, depth) };
}

/** The next or the last of the moves that could stand in a move's place. */
export function neighbour(game: Game, path: readonly number[], by: 1 | -1): readonly number[] | null {
  const depth = path.length - 1;
  if (depth < 0) return null;
  const siblings = depth ? (lineTo(game, path.slice(0, depth)).at(-1)?.children ?? []) : game.children;
  const index = path[depth]! + by;
  return siblings[index] ? [...path.slice(0, depth), index] : null;
}
