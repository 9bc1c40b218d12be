/** What stands on the cells of a board: the scene says it, and the drawing has an element for each token. */

import type { Scene, Token } from "../api/types";

/** A position as it is drawn, and what stands where on the drawing. */
export interface Drawing {
  svg: string;
  scene: Scene;
}

export interface CellContent {
  tokens: readonly Token[];
  note: string;
  /** What people call the place. */
  label: string;
}

const NOTHING: CellContent = { tokens: [], note: "", label: "" };

export type Contents = ReadonlyMap<string, CellContent>;

export function contentsOf(scene: Scene | null | undefined): Contents {
  const cells = scene?.areas.flatMap((area) => area.cells) ?? [];
  return new Map(cells.map(({ id, tokens = [], note = "", label = id }) => [id, { tokens, note, label }]));
}

export function contentOf(contents: Contents, cell: string): CellContent {
  return contents.get(cell) ?? NOTHING;
}

/** What people call a place. */
export function nameOf(contents: Contents, cell: string): string {
  return contentOf(contents, cell).label || cell;
}

/** The cells on which something stands. */
export function occupied(scene: Scene | null | undefined): ReadonlySet<string> {
  return new Set([...contentsOf(scene)].flatMap(([id, { tokens }]) => (tokens.length ? [id] : [])));
}

/** The elements that draw what stands on a cell, in the order of its tokens. */
export function tokenElements(cell: Element): SVGGraphicsElement[] {
  return Array.from(cell.querySelectorAll<SVGGraphicsElement>("[data-token]"));
}

/** A token as a screen reader says it. */
export function sayTokens(tokens: readonly Token[]): string {
  return tokens.map(({ label, count }) => (count > 1 ? `${count} ${label}` : label)).join(", ") || "empty";
}
