/**
 * How the moves of a game stand together: rows, what is said about them, other lines.
 *
 * Numbers, steps of a turn and actions are what the service says of each move; here they are only put in rows.
 */

import { GLYPHS, type Where } from "./edits";
import type { Node } from "./tree";

export interface Entry {
  node: Node;
  /** Where the node is in the tree. */
  path: number[];
}

/** A turn: one move, or the steps of one that has several. */
export type Turn = Entry[];

export type Item =
  | { kind: "row"; label: string; turns: Turn[] }
  | { kind: "action"; label: string; entry: Entry }
  | { kind: "said"; entry: Entry; where: Where }
  | { kind: "variation"; first: Entry };

/** Whether something is said before or after a move. */
export type Says = (entry: Entry, where: Where) => boolean;

/** How a move is shown: its text or the name of an action, and its glyphs. */
export function shownMove(node: Node): string {
  const signs = (node.nags ?? []).map((nag) => GLYPHS.find((glyph) => glyph.nag === nag)?.sign ?? ` $${nag}`);
  return (node.action && !node.step ? node.action : node.move) + signs.join("");
}

/** How a move with glyphs is read out: not every reader says what a sign means. */
export function spokenMove(node: Node): string | undefined {
  const names = (node.nags ?? []).map((nag) => GLYPHS.find((glyph) => glyph.nag === nag)?.name.toLowerCase() ?? `glyph ${nag}`);
  return names.length ? [shownMove(node), ...names].join(", ") : undefined;
}

export function labelOf(node: Node): string {
  return node.number === undefined ? "" : `${node.number}${node.player ? "…" : "."}`;
}

/**
 * The items of the main line. A row begins where the number changes or an earlier player's turn comes, and after whatever
 * stands between two moves. The number is written where it changes and after what stands between.
 */
export function itemsOf(children: readonly Node[], says: Says): Item[] {
  const items: Item[] = [];
  const line = entriesOf(children, []);
  let row: Extract<Item, { kind: "row" }> | null = null;
  let written: number | undefined;
  let between = true;
  for (const [depth, entry] of line.entries()) {
    const { node } = entry;
    const last = line[depth - 1]?.node;
    if (says(entry, "before")) {
      items.push({ kind: "said", entry, where: "before" });
      row = null;
      between = true;
    }
    const label: string = between || node.number !== written || (!row && node.player) ? labelOf(node) : "";
    const turn: Turn | undefined = row?.turns.at(-1);
    if (node.action && !node.step) {
      items.push({ kind: "action", label, entry });
      row = null;
    } else if (turn && node.step) turn.push(entry);
    else if (row && !beginsRow(node, last)) row.turns.push([entry]);
    else items.push((row = { kind: "row", label, turns: [[entry]] }));
    written = node.number;
    between = false;
    const others = siblingsOf(children, line, depth);
    if (says(entry, "after")) items.push({ kind: "said", entry, where: "after" });
    for (const first of others) items.push({ kind: "variation", first });
    if (says(entry, "after") || others.length) {
      row = null;
      between = true;
    }
  }
  return items;
}

function beginsRow(node: Node, last: Node | undefined): boolean {
  return !last || node.number !== last.number || (node.player ?? 0) <= (last.player ?? 0);
}

/** The first moves, from one to the next. */
function entriesOf(children: readonly Node[], prefix: readonly number[]): Entry[] {
  const line: Entry[] = [];
  for (let node = children[0]; node; node = node.children[0]) {
    line.push({ node, path: [...prefix, ...line.map(() => 0), 0] });
  }
  return line;
}

/** What could stand in the place of a move of the main line. */
function siblingsOf(children: readonly Node[], line: readonly Entry[], depth: number): Entry[] {
  const siblings = depth ? line[depth - 1]!.node.children : children;
  const before = line.slice(0, depth).map(() => 0);
  return siblings.slice(1).map((node, index) => ({ node, path: [...before, index + 1] }));
}

export interface Labelled {
  label: string;
  entry: Entry;
  /** What could stand in its place, but for the first move: its siblings stand beside the whole line. */
  others: Entry[];
}

/** The moves of another line, with the numbers that stand before some of them. */
export function labelled(first: Entry, says: Says): Labelled[] {
  const line = [first, ...entriesOf(first.node.children, first.path)];
  const others = line.map((_, index) => (index ? branches(line[index - 1]!) : []));
  return line.map((entry, index) => {
    const last = line[index - 1];
    const between = !last || says(entry, "before") || says(last, "after") || others[index - 1]!.length > 0;
    const shown = between || last.node.number !== entry.node.number;
    return { label: shown ? labelOf(entry.node) : "", entry, others: others[index]! };
  });
}

/** The moves after one but for the main one. */
function branches({ node, path }: Entry): Entry[] {
  return node.children.slice(1).map((other, index) => ({ node: other, path: [...path, index + 1] }));
}
