/** Marks on the cells of a board. Selections and findings are drawn under the pieces, move targets above them. */

import { centre, type CellBox } from "./geometry";
import { tokenElements } from "./cells";

/** A mark under the pieces of a cell. */
export type UnderSign = "error" | "warning" | "check" | "selected";
/** A mark above the pieces of a cell. */
export type OverSign = "lit" | "target" | "taken";

const SVG = "http://www.w3.org/2000/svg";
/** The distance of each rim from the edge of its cell, and its line width. */
const RIM_STYLES: Record<UnderSign, { inset: number; width: number; dashes?: string }> = {
  error: { inset: 4.5, width: 9 },
  warning: { inset: 3.5, width: 7, dashes: "20 12" },
  check: { inset: 5, width: 10 },
  selected: { inset: 3, width: 6 },
};

/** Draw marks under the pieces of a cell. Return a function that removes them. */
export function drawUnderSigns(box: CellBox, kinds: readonly UnderSign[]): () => void {
  const side = box.width / box.scale;
  const ground = Array.from(box.element.children).find((child) => child.tagName.toLowerCase() === "rect");
  const groundAttribute = (name: string) => Number(ground?.getAttribute(name) ?? 0);
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("data-sign", kinds.join(" "));
  for (const kind of kinds) {
    const { inset, width, dashes } = RIM_STYLES[kind];
    const rim = document.createElementNS(SVG, "rect");
    const shape = { x: groundAttribute("x") + inset, y: groundAttribute("y") + inset, width: side - 2 * inset, height: side - 2 * inset };
    for (const [name, value] of Object.entries(shape)) rim.setAttribute(name, String(value));
    rim.setAttribute("class", `sign-${kind}`);
    rim.setAttribute("stroke-width", String(width));
    if (dashes) rim.setAttribute("stroke-dasharray", dashes);
    group.append(rim);
  }
  box.element.insertBefore(group, tokenElements(box.element)[0] ?? null);
  return () => group.remove();
}

/** Hatching for a cell of 100 units. Its lines continue in the neighbouring cells. */
const HATCH_PATH = "M0 12.5L12.5 0M0 37.5L37.5 0M0 62.5L62.5 0M0 87.5L87.5 0M12.5 100L100 12.5M37.5 100L100 37.5M62.5 100L100 62.5M87.5 100L100 87.5";

/** Tint and hatch a cell under its pieces. Return a function that removes the cover. */
export function drawCover(box: CellBox, owner: string): () => void {
  const ground = Array.from(box.element.children).find((child) => child.tagName.toLowerCase() === "rect");
  const [x, y] = ["x", "y"].map((name) => Number(ground?.getAttribute(name) ?? 0));
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", `sign-cover sign-cover-${owner.replace(/[^a-z]/gi, "")}`);
  group.setAttribute("data-cover", owner);
  group.setAttribute("transform", `translate(${x} ${y})${slantsLeft(owner) ? " matrix(-1 0 0 1 100 0)" : ""}`);
  const tint = document.createElementNS(SVG, "rect");
  for (const side of ["width", "height"]) tint.setAttribute(side, "100");
  const lines = document.createElementNS(SVG, "path");
  lines.setAttribute("d", HATCH_PATH);
  group.append(tint, lines);
  box.element.insertBefore(group, tokenElements(box.element)[0] ?? null);
  return () => group.remove();
}

/** Choose the direction of the hatching by owner, so that overlapping covers differ without colours. */
function slantsLeft(owner: string): boolean {
  return [...owner].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2 === 0;
}

/** The marks above the pieces of a cell. `isOccupied` says whether the cell has a piece. */
export function OverSigns({ box, kinds, isOccupied }: { box: CellBox; kinds: readonly OverSign[]; isOccupied: boolean }) {
  const [cx, cy] = centre(box);
  const unit = box.width / 100;
  const inset = (distance: number) => ({
    x: box.x + distance * unit,
    y: box.y + distance * unit,
    width: box.width - 2 * distance * unit,
    height: box.height - 2 * distance * unit,
  });
  return (
    <g data-sign={kinds.join(" ")}>
      {kinds.includes("lit") && <rect className="sign-lit" {...inset(-4)} strokeWidth={8 * unit} />}
      {kinds.includes("taken") && <rect className="sign-taken" {...inset(1)} strokeWidth={9 * unit} rx={10 * unit} />}
      {kinds.includes("target") &&
        (isOccupied ? (
          <rect
            className="sign-target-full"
            {...inset(5)}
            strokeWidth={8 * unit}
            strokeDasharray={[26, 38, 26, 0].map((part) => part * unit).join(" ")}
          />
        ) : (
          <circle className="sign-target" cx={cx} cy={cy} r={15 * unit} />
        ))}
    </g>
  );
}

/** A short text on a cell, such as the points of a move. */
export interface Badge {
  text: string;
  /** The text for screen readers. */
  spoken: string;
}

/** A badge in the middle of a cell. */
export function BadgeSign({ box, badge }: { box: CellBox; badge: Badge }) {
  const [cx, cy] = centre(box);
  const unit = box.width / 100;
  return (
    <g className="sign-badge" data-badge={badge.text}>
      <rect x={cx - 40 * unit} y={cy - 27 * unit} width={80 * unit} height={54 * unit} rx={14 * unit} strokeWidth={3 * unit} />
      <text x={cx} y={cy + 16 * unit} fontSize={46 * unit} textAnchor="middle">
        {badge.text}
      </text>
    </g>
  );
}

/** The frame around the cell that the keyboard acts on. */
export function Cursor({ box }: { box: CellBox }) {
  const edge = 2;
  const place = { x: box.x - edge, y: box.y - edge, width: box.width + 2 * edge, height: box.height + 2 * edge };
  return (
    <g className="sign-cursor" data-sign="cursor">
      <rect {...place} strokeWidth={9} className="sign-cursor-halo" />
      <rect {...place} strokeWidth={5} />
    </g>
  );
}
