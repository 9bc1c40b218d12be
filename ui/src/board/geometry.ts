/** Where the cells of a drawing are, in the drawing's own units. */

export interface CellBox {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** How large one unit of the cell's area is. */
  scale: number;
  element: SVGGElement;
}

const TRANSFORM = /translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)\s*\)(?:\s*scale\(\s*([\d.]+)\s*\))?/;

export function cellBoxes(root: Element): CellBox[] {
  return Array.from(root.querySelectorAll<SVGGElement>("g[data-square]")).flatMap((element) => {
    const ground = Array.from(element.children).find((child) => child.tagName.toLowerCase() === "rect");
    if (!ground) return [];
    const [dx, dy, scale] = placeOf(element.parentElement);
    const side = (name: string) => Number(ground.getAttribute(name) ?? 0);
    return [
      {
        id: element.dataset.square ?? element.getAttribute("data-square") ?? "",
        x: dx + side("x") * scale,
        y: dy + side("y") * scale,
        width: side("width") * scale,
        height: side("height") * scale,
        scale,
        element,
      },
    ];
  });
}

export function placeOf(area: Element | null): [number, number, number] {
  const found = TRANSFORM.exec(area?.getAttribute("transform") ?? "");
  return found ? [Number(found[1]), Number(found[2]), Number(found[3] ?? 1)] : [0, 0, 1];
}

/** The cells that belong together: `f4.1` belongs to `f4`. */
export function groupOf(id: string): string {
  return id.split(".", 1)[0] ?? id;
}

export function sameGroup(a: string, b: string): boolean {
  return groupOf(a) === groupOf(b);
}

/** Rows from top to bottom, each from left to right. */
export function readingOrder(boxes: readonly CellBox[]): CellBox[] {
  return [...boxes].sort((a, b) => {
    const distance = a.y + a.height / 2 - (b.y + b.height / 2);
    return Math.abs(distance) > Math.min(a.height, b.height) / 2 ? distance : a.x - b.x;
  });
}

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** The nearest cell in a direction; straight ahead is nearer than aside. */
export function neighbour(boxes: readonly CellBox[], from: CellBox, direction: Direction): CellBox | null {
  const vertical = direction === "ArrowUp" || direction === "ArrowDown";
  const sign = direction === "ArrowUp" || direction === "ArrowLeft" ? -1 : 1;
  const [cx, cy] = centre(from);
  let best: CellBox | null = null;
  let least = Infinity;
  for (const box of boxes) {
    const [x, y] = centre(box);
    const ahead = sign * (vertical ? y - cy : x - cx);
    const aside = Math.abs(vertical ? x - cx : y - cy);
    if (ahead <= 0.4 * (vertical ? from.height : from.width)) continue;
    const cost = ahead + 3 * aside;
    if (cost < least) [best, least] = [box, cost];
  }
  return best;
}

export function centre(box: CellBox): [number, number] {
  return [box.x + box.width / 2, box.y + box.height / 2];
}
