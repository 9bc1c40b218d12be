/**
 * The tree of moves of a game, and the position on the board.
 *
 * The page sends one line at a time to the service, which stores nothing. A move that is undone or replaced stays in the
 * tree until it is deleted.
 */

import type { Played, RecordNode } from "../../api/types";

/** A move of the tree. */
export interface Node {
  move: string;
  /** The move number. Undefined until the service has answered. */
  number?: number;
  /** The index of the player. Undefined until the service has answered. */
  player?: number;
  /** Whether the move continues the turn of the move before. */
  step?: boolean;
  /** The name of an action that moves no piece, such as a deal. */
  action?: string | null;
  nags?: number[];
  before?: string[];
  after?: string[];
  /** The next moves. The first one is the main line. */
  children: Node[];
}

/** The text that a game was imported from. Export returns it unchanged if the game has not changed. */
export interface Source {
  text: string;
  /** The text before it in a file with several games. */
  before: string;
  /** The text after it in a file with several games. */
  behind: string;
}

/** A game with all its variations. */
export interface Game {
  game: string;
  variant: string;
  start: string;
  tags: Record<string, string>;
  /** The result in the record, or null. */
  result: string | null;
  comments: string[];
  children: Node[];
  /** The current line: the index of the chosen child at each move, to the end of the line. */
  path: number[];
  /** The number of moves of the line that are played on the board. */
  playedCount: number;
  source: Source | null;
  /** Whether the game was changed since the import. */
  changed: boolean;
}

/** Return a game without moves. */
export function newGame(game: string, variant: string, start: string): Game {
  return {
    game,
    variant,
    start,
    tags: {},
    result: null,
    comments: [],
    children: [],
    path: [],
    playedCount: 0,
    source: null,
    changed: false,
  };
}

/** Return the moves of the current line. */
export function currentLine(game: Game): Node[] {
  return movesAlong(game, game.path);
}

/** Return the moves along a path. Stop where the path leaves the tree. */
export function movesAlong(game: Game, path: readonly number[]): Node[] {
  const line: Node[] = [];
  let children = game.children;
  for (const index of path) {
    const node = children[index];
    if (!node) break;
    line.push(node);
    children = node.children;
  }
  return line;
}

/** Return the path along the first children to the end of the line. */
export function mainPath(children: readonly Node[]): number[] {
  const path: number[] = [];
  for (let next = children[0]; next; next = next.children[0]) path.push(0);
  return path;
}

/** Return the children after the first `at` moves of the current line. */
function childrenAfter(game: Game, at: number): Node[] {
  return at ? (currentLine(game)[at - 1]?.children ?? []) : game.children;
}

/** Return the game with other children after the first `at` moves of the current line. */
function replaceChildren(game: Game, at: number, children: Node[]): Game {
  const rebuild = (siblings: Node[], depth: number): Node[] => {
    if (depth === at) return children;
    return siblings.map((node, index) =>
      index === game.path[depth] ? { ...node, children: rebuild(node.children, depth + 1) } : node,
    );
  };
  return { ...game, children: rebuild(game.children, 0) };
}

/** Number, player and step of a move. */
export type Place = Pick<Node, "number" | "player" | "step">;

/**
 * Play a move on the board. If it is already in the tree, follow it, else add it. `place` is its expected place, which
 * `confirmLine` replaces by the service's answer.
 */
export function playMove(game: Game, move: string, place: Place = {}): Game {
  const siblings = childrenAfter(game, game.playedCount);
  const existing = siblings.findIndex((node) => node.move === move);
  if (existing >= 0) {
    const path = [...game.path.slice(0, game.playedCount), existing, ...mainPath(siblings[existing]!.children)];
    return { ...game, path: continuesWith(game, existing) ? game.path : path, playedCount: game.playedCount + 1 };
  }
  const extended = replaceChildren(game, game.playedCount, [...siblings, { ...place, move, children: [] }]);
  return { ...extended, path: [...game.path.slice(0, game.playedCount), siblings.length], playedCount: game.playedCount + 1, changed: true };
}

/** Report whether the current line continues with the child of this index. */
function continuesWith(game: Game, child: number): boolean {
  return game.path[game.playedCount] === child;
}

/** Show the position after `at` moves of the current line. */
export function stepTo(game: Game, at: number): Game {
  return { ...game, playedCount: Math.max(0, Math.min(game.path.length, at)) };
}

/** Show the position after the node at `path`. The current line continues along the first children. */
export function goToPath(game: Game, path: readonly number[]): Game {
  if (path.every((index, depth) => game.path[depth] === index)) return { ...game, playedCount: path.length };
  const atNode = { ...game, path: [...path], playedCount: path.length };
  return { ...atNode, path: [...path, ...mainPath(childrenAfter(atNode, path.length))] };
}

/** Copy the service's answer into the current line: canonical spelling, number, player, step and action of each move. */
export function confirmLine(game: Game, history: readonly Played[]): Game {
  let next = game;
  let line = currentLine(game);
  for (const [depth, played] of history.entries()) {
    const node = line[depth];
    if (!node || agreesWith(node, played)) continue;
    const siblings = childrenAfter(next, depth);
    const index = next.path[depth]!;
    const duplicate = siblings.findIndex((sibling, at) => at !== index && sibling.move === played.move);
    if (duplicate >= 0 && !node.children.length) {
      // The move is already in the tree in canonical spelling.
      const reduced = replaceChildren(next, depth, siblings.filter((_, at) => at !== index));
      next = { ...reduced, path: [...next.path.slice(0, depth), duplicate > index ? duplicate - 1 : duplicate] };
    } else {
      const existing = { ...node, ...placeFrom(played), move: played.move };
      next = replaceChildren(next, depth, siblings.map((sibling, at) => (at === index ? existing : sibling)));
    }
    line = currentLine(next);
  }
  return next;
}

/** Return the place of a move from the service's answer. */
function placeFrom({ number, player, step, action }: Played): Partial<Node> {
  return { number, player, ...(step ? { step } : {}), ...(action ? { action } : {}) };
}

/** Report whether a node agrees with the service's answer. */
function agreesWith(node: Node, played: Played): boolean {
  const isSameMove = node.number === played.number && node.player === played.player && node.move === played.move;
  return isSameMove && Boolean(node.step) === Boolean(played.step) && (node.action ?? null) === (played.action ?? null);
}

/** Count the moves of a tree, including variations. */
export function countMoves(children: readonly Node[]): number {
  let count = 0;
  const stack = [...children];
  for (let node = stack.pop(); node; node = stack.pop()) {
    count += 1;
    stack.push(...node.children);
  }
  return count;
}

// --- records ------------------------------------------------------------------------------------------

/** Convert the moves of a record to a tree. */
export function buildTree(line: readonly RecordNode[]): Node[] {
  const rootNodes: Node[] = [];
  let siblings = rootNodes;
  for (const { variations = [], ...data } of line) {
    const node: Node = { ...data, children: [] };
    siblings.push(node);
    for (const variation of variations) siblings.push(...buildTree(variation));
    siblings = node.children;
  }
  return rootNodes;
}

/** Convert a tree to the moves of a record: the main line, each move with its variations. */
export function recordMoves(children: readonly Node[]): RecordNode[] {
  const line: RecordNode[] = [];
  for (let siblings = children; siblings.length; siblings = siblings[0]!.children) {
    const { children: _, ...data } = siblings[0]!;
    const variations = siblings.slice(1).map(({ children: next, ...sibling }) => [sibling, ...recordMoves(next)]);
    line.push({ ...data, ...(variations.length ? { variations } : {}) });
  }
  return line;
}
