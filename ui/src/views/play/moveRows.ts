/**
 * Layout of the move list: rows of moves, comments and variations.
 *
 * Move numbers, steps and actions come from the service.
 */

import { GLYPHS, type Where } from "./edits";
import type { Node } from "./tree";

/** A move in the list. */
export interface Entry {
  node: Node;
  /** The path of the node in the tree. */
  path: number[];
}

/** A turn: one move, or several steps. */
export type Turn = Entry[];

/** An item of the list. */
export type Item =
  | { kind: "row"; label: string; turns: Turn[] }
  | { kind: "action"; label: string; entry: Entry }
  | { kind: "comment"; entry: Entry; where: Where }
  | { kind: "variation"; first: Entry };

/** Report whether there is a comment before or after a move. */
export type HasComment = (entry: Entry, where: Where) => boolean;

/** Return the text of a move, or the name of an action, with its glyphs. */
export function moveText(node: Node): string {
  const glyphSigns = (node.nags ?? []).map((nag) => GLYPHS.find((glyph) => glyph.nag === nag)?.sign ?? ` $${nag}`);
  return (node.action && !node.step ? node.action : node.move) + glyphSigns.join("");
}

/** Return the move with the names of its glyphs, for screen readers. Return undefined if it has none. */
export function spokenText(node: Node): string | undefined {
  const glyphNames = (node.nags ?? []).map((nag) => GLYPHS.find((glyph) => glyph.nag === nag)?.name.toLowerCase() ?? `glyph ${nag}`);
  return glyphNames.length ? [moveText(node), ...glyphNames].join(", ") : undefined;
}

/** Return the move number, as in "3." or "3…". */
export function moveLabel(node: Node): string {
  return node.number === undefined ? "" : `${node.number}${node.player ? "…" : "."}`;
}

/**
 * Return the items of the main line.
 *
 * A row starts when the move number changes, when the player order starts again, and after a comment or variation. The
 * number is written when it changes, and after a comment or variation.
 */
export function listItems(children: readonly Node[], hasComment: HasComment): Item[] {
  const items: Item[] = [];
  const line = mainLineEntries(children, []);
  let row: Extract<Item, { kind: "row" }> | null = null;
  let lastNumber: number | undefined;
  let afterInterruption = true;
  for (const [depth, entry] of line.entries()) {
    const { node } = entry;
    const previous = line[depth - 1]?.node;
    if (hasComment(entry, "before")) {
      items.push({ kind: "comment", entry, where: "before" });
      row = null;
      afterInterruption = true;
    }
    const label: string = afterInterruption || node.number !== lastNumber || (!row && node.player) ? moveLabel(node) : "";
    const turn: Turn | undefined = row?.turns.at(-1);
    if (node.action && !node.step) {
      items.push({ kind: "action", label, entry });
      row = null;
    } else if (turn && node.step) turn.push(entry);
    else if (row && !startsRow(node, previous)) row.turns.push([entry]);
    else items.push((row = { kind: "row", label, turns: [[entry]] }));
    lastNumber = node.number;
    afterInterruption = false;
    const alternatives = alternativesAt(children, line, depth);
    if (hasComment(entry, "after")) items.push({ kind: "comment", entry, where: "after" });
    for (const first of alternatives) items.push({ kind: "variation", first });
    if (hasComment(entry, "after") || alternatives.length) {
      row = null;
      afterInterruption = true;
    }
  }
  return items;
}

/** Report whether a move starts a new row after the move `last`. */
function startsRow(node: Node, previous: Node | undefined): boolean {
  return !previous || node.number !== previous.number || (node.player ?? 0) <= (previous.player ?? 0);
}

/** Return the main line from `children` on. `prefix` is the path of their parent. */
function mainLineEntries(children: readonly Node[], prefix: readonly number[]): Entry[] {
  const line: Entry[] = [];
  for (let node = children[0]; node; node = node.children[0]) {
    line.push({ node, path: [...prefix, ...line.map(() => 0), 0] });
  }
  return line;
}

/** Return the alternatives to the move of the main line at `depth`. */
function alternativesAt(children: readonly Node[], line: readonly Entry[], depth: number): Entry[] {
  const siblings = depth ? line[depth - 1]!.node.children : children;
  const parentPath = line.slice(0, depth).map(() => 0);
  return siblings.slice(1).map((node, index) => ({ node, path: [...parentPath, index + 1] }));
}

/** A move of a variation with its label. */
export interface Labelled {
  label: string;
  entry: Entry;
  /** The alternatives to the move. Empty for the first move, whose alternatives are listed beside the whole line. */
  alternatives: Entry[];
}

/** Return the moves of a variation with their move numbers, where these are shown. */
export function labelVariation(first: Entry, hasComment: HasComment): Labelled[] {
  const line = [first, ...mainLineEntries(first.node.children, first.path)];
  const alternatives = line.map((_, index) => (index ? alternativesAfter(line[index - 1]!) : []));
  return line.map((entry, index) => {
    const previous = line[index - 1];
    const isInterrupted = !previous || hasComment(entry, "before") || hasComment(previous, "after") || alternatives[index - 1]!.length > 0;
    const isNumberShown = isInterrupted || previous.node.number !== entry.node.number;
    return { label: isNumberShown ? moveLabel(entry.node) : "", entry, alternatives: alternatives[index]! };
  });
}

/** Return the alternatives to the main move after an entry. */
function alternativesAfter({ node, path }: Entry): Entry[] {
  return node.children.slice(1).map((alternative, index) => ({ node: alternative, path: [...path, index + 1] }));
}
