/** Animation of pieces from their old cells to their new ones. */

import { contentOf, tokenElements, type Contents } from "./cells";
import { centre, type CellBox } from "./geometry";
import { copyTokens } from "./ghost";

/** Duration of an animation. */
const DURATION_MILLISECONDS = 160;
/** Maximum number of moved tokens. More of them mean another position, which is not animated. */
const MAX_MOVED_TOKENS = 6;

/** A token that moved from one cell to another. */
interface TokenMove {
  from: string;
  to: string;
}

/** Match the tokens that left a cell with equal ones that arrived on another cell. Return [] if too many moved. */
export function findTokenMoves(before: Contents, after: Contents): TokenMove[] {
  const departures: { cell: string; name: string }[] = [];
  const arrivals: { cell: string; name: string }[] = [];
  for (const cell of new Set([...before.keys(), ...after.keys()])) {
    const namesBefore = contentOf(before, cell).tokens.map(({ symbol, owner }) => `${owner} ${symbol}`);
    const namesAfter = contentOf(after, cell).tokens.map(({ symbol, owner }) => `${owner} ${symbol}`);
    departures.push(...namesBefore.filter((name) => !namesAfter.includes(name)).map((name) => ({ cell, name })));
    arrivals.push(...namesAfter.filter((name) => !namesBefore.includes(name)).map((name) => ({ cell, name })));
  }
  const tokenMoves = arrivals.flatMap(({ cell, name }) => {
    const index = departures.findIndex((departure) => departure.name === name);
    const [departure] = index < 0 ? [] : departures.splice(index, 1);
    return departure ? [{ from: departure.cell, to: cell }] : [];
  });
  return tokenMoves.length > MAX_MOVED_TOKENS ? [] : tokenMoves;
}

/** Report whether the system asks for reduced motion. */
export function prefersReducedMotion(): boolean {
  return typeof matchMedia !== "function" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Animate tokens on `stage`, a layer above the board. Return a function that ends the animation. */
export function animateMoves(stage: SVGGElement, byId: ReadonlyMap<string, CellBox>, moves: readonly TokenMove[]): () => void {
  const stops = moves.flatMap(({ from, to }) => {
    const [start, end] = [byId.get(from), byId.get(to)];
    if (!start || !end || typeof stage.animate !== "function") return [];
    const [x, y] = centre(start);
    const [toX, toY] = centre(end);
    const carrier = document.createElementNS("http://www.w3.org/2000/svg", "g");
    carrier.append(copyTokens(end, tokenElements(end.element)));
    stage.append(carrier);
    end.element.classList.add("arriving");
    const stop = () => {
      end.element.classList.remove("arriving");
      carrier.remove();
    };
    const animation = carrier.animate(
      [{ transform: `translate(${x}px, ${y}px)` }, { transform: `translate(${toX}px, ${toY}px)` }],
      { duration: DURATION_MILLISECONDS, easing: "ease-out", fill: "both" },
    );
    animation.onfinish = stop;
    return [stop];
  });
  return () => stops.forEach((stop) => stop());
}
