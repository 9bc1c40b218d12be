/** The content of the cells of a board, from the scene. The drawing has one element for each token. */

import type { Scene, Token } from "../api/types";

/** A drawing of a position and the scene that describes it. */
export interface Drawing {
  svg: string;
  scene: Scene;
}

/** The tokens of a cell, a note for screen readers, and the cell's name. */
export interface CellContent {
  tokens: readonly Token[];
  note: string;
  /** The name of the cell for people, such as "factory 1". */
  label: string;
}

const EMPTY_CELL: CellContent = { tokens: [], note: "", label: "" };

/** The content of all cells, by the id of the cell. */
export type Contents = ReadonlyMap<string, CellContent>;

/** Return the content of every cell of a scene, by the id of the cell. */
export function contentsByCell(scene: Scene | null | undefined): Contents {
  const cells = scene?.areas.flatMap((area) => area.cells) ?? [];
  return new Map(cells.map(({ id, tokens = [], note = "", label = id }) => [id, { tokens, note, label }]));
}

/** Return the content of one cell. An unknown cell is empty. */
export function contentOf(contents: Contents, cell: string): CellContent {
  return contents.get(cell) ?? EMPTY_CELL;
}

/** Return the name of a cell for people. */
export function cellName(contents: Contents, cell: string): string {
  return contentOf(contents, cell).label || cell;
}

/** Return the ids of the cells that have a token. */
export function occupiedCells(scene: Scene | null | undefined): ReadonlySet<string> {
  return new Set([...contentsByCell(scene)].flatMap(([id, { tokens }]) => (tokens.length ? [id] : [])));
}

/** Return the elements that draw the tokens of a cell, in the order of the tokens. */
export function tokenElements(cell: Element): SVGGraphicsElement[] {
  return Array.from(cell.querySelectorAll<SVGGraphicsElement>("[data-token]"));
}

/** Describe tokens for screen readers. */
export function describeTokens(tokens: readonly Token[]): string {
  return tokens.map(({ label, count }) => (count > 1 ? `${count} ${label}` : label)).join(", ") || "empty";
}
