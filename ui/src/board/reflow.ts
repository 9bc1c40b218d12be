/**
 * A drawing of several areas on a narrow screen: what stands side by side and finds no room is set in lines.
 *
 * The order of reading stays: rows from top to bottom, each from left to right. An area that is alone too wide is
 * drawn smaller. A drawing of one area, and one whose cells are large enough, stays as it is.
 */

import { placeOf } from "./geometry";

/** How wide a cell is at least where there is a choice, in pixels: what a finger can hit. */
export const FINGER = 25;

/** The length of a cell in drawings. */
const CELL = 100;
/** The room around a drawing, and between lines that were one row. */
const EDGE = 30;
const BETWEEN = 45;
/** How much of the room a line takes at least. */
const FILLED = 0.75;

interface Block {
  area: Element;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Lay out a drawing anew for a room so many pixels wide; the answer is its new size. */
export function reflow(root: Element, size: readonly [number, number], room: number): [number, number] {
  const [width, height] = size;
  const areas = Array.from(root.children).filter((child) => child.hasAttribute("data-area"));
  const most = (room / FINGER) * CELL;
  if (areas.length < 2 || room <= 0 || width <= most) return [width, height];
  const rows = rowsOf(areas.map(blockOf));
  const inner = innerWidth(rows.flat(), most - 2 * EDGE);
  let y = EDGE;
  let before: number | null = null;
  for (const row of rows) {
    const top = Math.min(...row.map((block) => block.top));
    if (before !== null) y += Math.max(EDGE / 2, top - before);
    before = Math.max(...row.map((block) => block.top + block.height));
    y = setRow(row, y, inner);
  }
  const laid: [number, number] = [inner + 2 * EDGE, y + EDGE];
  root.setAttribute("viewBox", `0 0 ${laid[0]} ${laid[1]}`);
  return laid;
}

/** How wide lines are: as the widest area that fits, unless that would leave much of the room empty. */
function innerWidth(blocks: readonly Block[], room: number): number {
  const widest = Math.max(0, ...blocks.map(({ width }) => width).filter((width) => width <= room));
  return widest < room * FILLED ? room : widest;
}

/** Set a row in as few lines as it takes, as even as they can be; the answer is where the last one ends. */
function setRow(row: readonly Block[], top: number, inner: number): number {
  const widest = Math.max(...row.map((block) => block.width));
  const second = row[1];
  const gap = second && row[0] ? Math.max(0, second.left - row[0].left - row[0].width) : 0;
  const most = Math.max(1, Math.floor((inner + gap) / (widest + gap)));
  const perLine = Math.ceil(row.length / Math.ceil(row.length / most));
  const scale = Math.min(1, inner / widest);
  let y = top;
  for (let first = 0; first < row.length; first += perLine) {
    const line = row.slice(first, first + perLine);
    if (first) y += BETWEEN;
    const span = line.reduce((sum, block) => sum + block.width * scale + gap, -gap);
    let x = EDGE + (inner - span) / 2;
    for (const block of line) {
      put(block, x, y, scale);
      x += block.width * scale + gap;
    }
    y += Math.max(...line.map((block) => block.height)) * scale;
  }
  return y;
}

function put({ area, left, top }: Block, x: number, y: number, by: number): void {
  const [dx, dy, scale] = placeOf(area);
  const place = `translate(${round(x + (dx - left) * by)} ${round(y + (dy - top) * by)})`;
  area.setAttribute("transform", scale * by === 1 ? place : `${place} scale(${round(scale * by, 4)})`);
}

function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** Areas that stand side by side, from top to bottom. */
function rowsOf(blocks: readonly Block[]): Block[][] {
  const rows: Block[][] = [];
  for (const block of [...blocks].sort((a, b) => a.top - b.top)) {
    const row = rows[rows.length - 1];
    const first = row?.[0];
    if (row && first && block.top < first.top + first.height / 2) row.push(block);
    else rows.push([block]);
  }
  return rows.map((row) => row.sort((a, b) => a.left - b.left));
}

/** What an area covers, with the words around it. */
function blockOf(area: Element): Block {
  const [dx, dy, scale] = placeOf(area);
  const [left, top, right, bottom] = boundsOf(area);
  return {
    area,
    left: dx + left * scale,
    top: dy + top * scale,
    width: (right - left) * scale,
    height: (bottom - top) * scale,
  };
}

/** The bounds as the browser measures them, else as far as the drawing tells. */
function boundsOf(area: Element): Edges {
  if (hasBox(area)) {
    const { x, y, width, height } = area.getBBox();
    return [x, y, x + width, y + height];
  }
  const edges = Array.from(area.querySelectorAll("svg, rect, text"), edgesOf);
  return [
    Math.min(...edges.map((edge) => edge[0])),
    Math.min(...edges.map((edge) => edge[1])),
    Math.max(...edges.map((edge) => edge[2])),
    Math.max(...edges.map((edge) => edge[3])),
  ];
}

/** Not every place where drawings are laid out has a screen. */
function hasBox(area: Element): area is SVGGraphicsElement {
  return typeof (area as Partial<SVGGraphicsElement>).getBBox === "function";
}

type Edges = [left: number, top: number, right: number, bottom: number];

function edgesOf(element: Element): Edges {
  const number = (name: string) => Number(element.getAttribute(name) ?? 0);
  const [x, y] = [number("x"), number("y")];
  if (element.tagName.toLowerCase() !== "text") return [x, y, x + number("width"), y + number("height")];
  // How long words are is known only on the screen.
  const letters = Number(element.getAttribute("font-size") ?? element.parentElement?.getAttribute("font-size") ?? 0);
  return [x, y - letters, x, y + letters * 0.3];
}
