/** The positions of the cells of a drawing, in the drawing's units. */

/** A cell of a drawing with its bounds. */
export interface CellBox {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Scale factor of the area that contains the cell. */
  scale: number;
  element: SVGGElement;
}

const TRANSFORM = /translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)\s*\)(?:\s*scale\(\s*([\d.]+)\s*\))?/;

/** Return all cells of a drawing with their bounds. */
export function measureCells(root: Element): CellBox[] {
  return Array.from(root.querySelectorAll<SVGGElement>("g[data-square]")).flatMap((element) => {
    const ground = Array.from(element.children).find((child) => child.tagName.toLowerCase() === "rect");
    if (!ground) return [];
    const [dx, dy, scale] = parseTransform(element.parentElement);
    const attribute = (name: string) => Number(ground.getAttribute(name) ?? 0);
    return [
      {
        id: element.dataset.square ?? element.getAttribute("data-square") ?? "",
        x: dx + attribute("x") * scale,
        y: dy + attribute("y") * scale,
        width: attribute("width") * scale,
        height: attribute("height") * scale,
        scale,
        element,
      },
    ];
  });
}

/** Return the offset and the scale factor of an area, from its `transform` attribute. */
export function parseTransform(area: Element | null): [number, number, number] {
  const match = TRANSFORM.exec(area?.getAttribute("transform") ?? "");
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)] : [0, 0, 1];
}

/** Return the group of a cell: `f4` for `f4.1`. A cell without a dot is its own group. */
export function groupOf(id: string): string {
  return id.split(".", 1)[0] ?? id;
}

/** Report whether two cells belong to the same group. */
export function isSameGroup(a: string, b: string): boolean {
  return groupOf(a) === groupOf(b);
}

/** Sort cells into rows from top to bottom, each from left to right. */
export function sortForReading(boxes: readonly CellBox[]): CellBox[] {
  return [...boxes].sort((a, b) => {
    const distance = a.y + a.height / 2 - (b.y + b.height / 2);
    return Math.abs(distance) > Math.min(a.height, b.height) / 2 ? distance : a.x - b.x;
  });
}

/** The key that moves the cursor in a direction. */
export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** Return the nearest cell in a direction, or null. Cells straight ahead are preferred. */
export function findNeighbour(boxes: readonly CellBox[], from: CellBox, direction: Direction): CellBox | null {
  const vertical = direction === "ArrowUp" || direction === "ArrowDown";
  const sign = direction === "ArrowUp" || direction === "ArrowLeft" ? -1 : 1;
  const [cx, cy] = centre(from);
  let nearest: CellBox | null = null;
  let lowestCost = Infinity;
  for (const box of boxes) {
    const [x, y] = centre(box);
    const ahead = sign * (vertical ? y - cy : x - cx);
    const aside = Math.abs(vertical ? x - cx : y - cy);
    if (ahead <= 0.4 * (vertical ? from.height : from.width)) continue;
    const cost = ahead + 3 * aside;
    if (cost < lowestCost) [nearest, lowestCost] = [box, cost];
  }
  return nearest;
}

/** Return the centre of a cell. */
export function centre(box: CellBox): [number, number] {
  return [box.x + box.width / 2, box.y + box.height / 2];
}
