/**
 * Line wrapping for drawings with several areas on a narrow screen.
 *
 * Areas that stand side by side and do not fit are wrapped to further lines. The reading order stays: rows from top to
 * bottom, each from left to right. An area that is too wide for a line is scaled down. A drawing with one area, or with
 * cells that are large enough, stays as it is.
 */

import { parseTransform } from "./geometry";

/** Smallest cell that a finger can hit, in pixels. A drawing with smaller cells is wrapped. */
export const MIN_CELL_PIXELS = 25;

/** Width of a cell in the units of a drawing. */
const CELL_WIDTH = 100;
/** Margin around a drawing, in its units. */
const MARGIN = 30;
/** Distance between the lines of a wrapped row, in the units of the drawing. */
const LINE_GAP = 45;
/** If the widest area that fits fills less than this share of the width, lines use the whole width. */
const MIN_FILL = 0.75;

/** An area and its bounds in the drawing. */
interface Block {
  area: Element;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Wrap the areas of `root` to a width of `availableWidth` pixels. Return the new size of the drawing, in its units. */
export function reflow(root: Element, size: readonly [number, number], availableWidth: number): [number, number] {
  const [width, height] = size;
  const areas = Array.from(root.children).filter((child) => child.hasAttribute("data-area"));
  const maxWidth = (availableWidth / MIN_CELL_PIXELS) * CELL_WIDTH;
  if (areas.length < 2 || availableWidth <= 0 || width <= maxWidth) return [width, height];
  const rows = groupRows(areas.map(measureBlock));
  const wrapWidth = lineWidth(rows.flat(), maxWidth - 2 * MARGIN);
  let y = MARGIN;
  let previousBottom: number | null = null;
  for (const row of rows) {
    const top = Math.min(...row.map((block) => block.top));
    if (previousBottom !== null) y += Math.max(MARGIN / 2, top - previousBottom);
    previousBottom = Math.max(...row.map((block) => block.top + block.height));
    y = placeRow(row, y, wrapWidth);
  }
  const newSize: [number, number] = [wrapWidth + 2 * MARGIN, y + MARGIN];
  root.setAttribute("viewBox", `0 0 ${newSize[0]} ${newSize[1]}`);
  return newSize;
}

/** Return the line width: that of the widest area that fits, or `availableWidth` if that area is much narrower. */
function lineWidth(blocks: readonly Block[], availableWidth: number): number {
  const widest = Math.max(0, ...blocks.map(({ width }) => width).filter((width) => width <= availableWidth));
  return widest < availableWidth * MIN_FILL ? availableWidth : widest;
}

/** Place a row in as few lines as possible, with about equally many areas each. Return the bottom of the last line. */
function placeRow(row: readonly Block[], top: number, wrapWidth: number): number {
  const widest = Math.max(...row.map((block) => block.width));
  const secondBlock = row[1];
  const gap = secondBlock && row[0] ? Math.max(0, secondBlock.left - row[0].left - row[0].width) : 0;
  const maxPerLine = Math.max(1, Math.floor((wrapWidth + gap) / (widest + gap)));
  const perLine = Math.ceil(row.length / Math.ceil(row.length / maxPerLine));
  const scale = Math.min(1, wrapWidth / widest);
  let y = top;
  for (let first = 0; first < row.length; first += perLine) {
    const line = row.slice(first, first + perLine);
    if (first) y += LINE_GAP;
    const rowWidth = line.reduce((sum, block) => sum + block.width * scale + gap, -gap);
    let x = MARGIN + (wrapWidth - rowWidth) / 2;
    for (const block of line) {
      placeArea(block, x, y, scale);
      x += block.width * scale + gap;
    }
    y += Math.max(...line.map((block) => block.height)) * scale;
  }
  return y;
}

/** Place an area at `x`, `y`, scaled by `factor`. */
function placeArea({ area, left, top }: Block, x: number, y: number, factor: number): void {
  const [dx, dy, scale] = parseTransform(area);
  const place = `translate(${round(x + (dx - left) * factor)} ${round(y + (dy - top) * factor)})`;
  area.setAttribute("transform", scale * factor === 1 ? place : `${place} scale(${round(scale * factor, 4)})`);
}

/** Round to a number of decimal places. */
function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** Group blocks that stand side by side into rows, from top to bottom. */
function groupRows(blocks: readonly Block[]): Block[][] {
  const rows: Block[][] = [];
  for (const block of [...blocks].sort((a, b) => a.top - b.top)) {
    const row = rows[rows.length - 1];
    const first = row?.[0];
    if (row && first && block.top < first.top + first.height / 2) row.push(block);
    else rows.push([block]);
  }
  return rows.map((row) => row.sort((a, b) => a.left - b.left));
}

/** Measure an area with the labels around it. */
function measureBlock(area: Element): Block {
  const [dx, dy, scale] = parseTransform(area);
  const [left, top, right, bottom] = measureBounds(area);
  return {
    area,
    left: dx + left * scale,
    top: dy + top * scale,
    width: (right - left) * scale,
    height: (bottom - top) * scale,
  };
}

/** Return the bounds of an area: measured by the browser if possible, else computed from attributes. */
function measureBounds(area: Element): Bounds {
  if (canMeasure(area)) {
    const { x, y, width, height } = area.getBBox();
    return [x, y, x + width, y + height];
  }
  const bounds = Array.from(area.querySelectorAll("svg, rect, text"), attributeBounds);
  return [
    Math.min(...bounds.map((edge) => edge[0])),
    Math.min(...bounds.map((edge) => edge[1])),
    Math.max(...bounds.map((edge) => edge[2])),
    Math.max(...bounds.map((edge) => edge[3])),
  ];
}

/** Report whether the browser can measure SVG elements. jsdom cannot. */
function canMeasure(area: Element): area is SVGGraphicsElement {
  return typeof (area as Partial<SVGGraphicsElement>).getBBox === "function";
}

type Bounds = [left: number, top: number, right: number, bottom: number];

/** Compute the bounds of an element from its attributes. */
function attributeBounds(element: Element): Bounds {
  const attribute = (name: string) => Number(element.getAttribute(name) ?? 0);
  const [x, y] = [attribute("x"), attribute("y")];
  if (element.tagName.toLowerCase() !== "text") return [x, y, x + attribute("width"), y + attribute("height")];
  // The width of a text is unknown without a browser, so only its height counts.
  const fontSize = Number(element.getAttribute("font-size") ?? element.parentElement?.getAttribute("font-size") ?? 0);
  return [x, y - fontSize, x, y + fontSize * 0.3];
}
