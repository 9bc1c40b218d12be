/**
 * Changes of a game tree: glyphs, comments, the order of variations, and deletions. Each function returns a new game.
 *
 * Only the words of a comment are edited. Commands in it, such as clock times, stay.
 */

import { movesAlong, mainPath, type Game, type Node } from "./tree";

/** The move glyphs with their NAG numbers. */
export const GLYPHS: readonly { nag: number; sign: string; name: string }[] = [
  { nag: 1, sign: "!", name: "Good move" },
  { nag: 2, sign: "?", name: "Mistake" },
  { nag: 3, sign: "!!", name: "Brilliant move" },
  { nag: 4, sign: "??", name: "Blunder" },
  { nag: 5, sign: "!?", name: "Interesting move" },
  { nag: 6, sign: "?!", name: "Dubious move" },
];

/** The side of a move on which a comment stands. */
export type Where = "before" | "after";

/** The place of a comment. An empty path means the comment of a game without moves. */
export interface CommentPlace {
  path: readonly number[];
  where: Where;
}

/** Report whether two comment places are equal. */
export function isSamePlace(a: CommentPlace | null, b: CommentPlace): boolean {
  return a?.where === b.where && a.path.join() === b.path.join();
}

/** Matches a command in a comment, such as `[%clk 0:05:00]`. */
const COMMENT_COMMAND = /\[%[^[\]]*\]/g;

/** Join comments and remove their commands. */
export function commentText(texts: readonly string[] | undefined): string {
  return (texts ?? []).map((text) => text.replace(COMMENT_COMMAND, " ").replace(/\s+/g, " ").trim()).filter(Boolean).join(" ");
}

/** Replace the words of comments and keep their commands. */
function replaceText(texts: readonly string[] | undefined, newText: string): string[] {
  const commands = (texts ?? []).flatMap((text) => text.match(COMMENT_COMMAND) ?? []);
  const fullText = [...commands, newText.replace(/\s+/g, " ").trim()].filter(Boolean).join(" ");
  return fullText ? [fullText] : [];
}

/** Return the tree with changed siblings at the end of `path`. */
function changeSiblings(children: readonly Node[], path: readonly number[], change: (siblings: readonly Node[]) => Node[]): Node[] {
  const [index, ...childPath] = path;
  if (!childPath.length) return change(children);
  return children.map((node, position) => (position === index ? { ...node, children: changeSiblings(node.children, childPath, change) } : node));
}

/** Return the game with a changed node at `path`. */
function changeNode(game: Game, path: readonly number[], change: (node: Node) => Node): Game {
  const children = changeSiblings(game.children, path, (siblings) =>
    siblings.map((node, position) => (position === path[path.length - 1] ? change(node) : node)),
  );
  return { ...game, children, changed: true };
}

/** Set a move glyph, or remove it if the move has it already. Other annotations by number stay. */
export function switchGlyph(game: Game, path: readonly number[], nag: number): Game {
  return changeNode(game, path, (node) => {
    const nags = node.nags ?? [];
    const otherNags = nags.filter((value) => !GLYPHS.some((glyph) => glyph.nag === value));
    return { ...node, nags: nags.includes(nag) ? otherNags : [nag, ...otherNags] };
  });
}

/** Return the words of a comment. */
export function commentTextAt(game: Game, { path, where }: CommentPlace): string {
  const node = movesAlong(game, path).at(-1);
  return commentText(path.length ? node?.[where] : game.comments);
}

/** Replace the words of a comment. Empty words remove it. */
export function setComment(game: Game, { path, where }: CommentPlace, newText: string): Game {
  if (!path.length) return { ...game, comments: replaceText(game.comments, newText), changed: true };
  return changeNode(game, path, (node) => ({ ...node, [where]: replaceText(node[where], newText) }));
}

/** Return the path of the variation that contains the move at `path`, or null for the main line. */
export function variationPath(path: readonly number[]): readonly number[] | null {
  const depth = path.findLastIndex((index) => index > 0);
  return depth < 0 ? null : path.slice(0, depth + 1);
}

/** Move the variation of a move one place up among its siblings. The position on the board stays the same. */
export function promoteVariation(game: Game, path: readonly number[]): Game {
  const place = variationPath(path);
  if (!place) return game;
  const depth = place.length - 1;
  const index = place[depth]!;
  const children = changeSiblings(game.children, place, (siblings) => {
    const [promotedNode, demotedNode] = [siblings[index]!, siblings[index - 1]!];
    return siblings.map((node, position) => (position === index ? demotedNode : position === index - 1 ? promotedNode : node));
  });
  const newIndex = (position: number) => (position === index ? index - 1 : position === index - 1 ? index : position);
  const isOnBoard = place.slice(0, depth).every((value, position) => game.path[position] === value);
  const newPath = isOnBoard ? game.path.map((value, position) => (position === depth ? newIndex(value) : value)) : game.path;
  return { ...game, children, path: newPath, changed: true };
}

/** Delete a move and all moves after it. If one of them is on the board, go to the move before. */
export function removeMove(game: Game, path: readonly number[]): Game {
  const depth = path.length - 1;
  const index = path[depth]!;
  const children = changeSiblings(game.children, path, (siblings) => siblings.filter((_, position) => position !== index));
  const newGame = { ...game, children, changed: true };
  const isOnBoard = path.slice(0, depth).every((value, position) => game.path[position] === value);
  const shownIndex = game.path[depth];
  if (!isOnBoard || shownIndex === undefined || shownIndex < index) return newGame;
  if (shownIndex > index) return { ...newGame, path: game.path.map((value, position) => (position === depth ? value - 1 : value)) };
  const parentPath = path.slice(0, depth);
  const siblings = depth ? (movesAlong(newGame, parentPath).at(-1)?.children ?? []) : children;
  return { ...newGame, path: [...parentPath, ...mainPath(siblings)], playedCount: Math.min(game.playedCount, depth) };
}

/** Return the path of the next or previous sibling of a move, or null. */
export function siblingPath(game: Game, path: readonly number[], direction: 1 | -1): readonly number[] | null {
  const depth = path.length - 1;
  if (depth < 0) return null;
  const siblings = depth ? (movesAlong(game, path.slice(0, depth)).at(-1)?.children ?? []) : game.children;
  const index = path[depth]! + direction;
  return siblings[index] ? [...path.slice(0, depth), index] : null;
}
