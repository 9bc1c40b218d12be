/** Short journeys: what stands elsewhere after a move glides there. None where less motion is wanted. */

import { contentOf, tokenElements, type Contents } from "./cells";
import { centre, type CellBox } from "./geometry";
import { copyOf } from "./ghost";

const MILLISECONDS = 160;
/** More than so many tokens on the way are another position, not a move. */
const MOST = 6;

interface Journey {
  from: string;
  to: string;
}

/** Which tokens went where between two boards; each goes once. */
export function journeys(before: Contents, after: Contents): Journey[] {
  const gone: { cell: string; name: string }[] = [];
  const come: { cell: string; name: string }[] = [];
  for (const cell of new Set([...before.keys(), ...after.keys()])) {
    const was = contentOf(before, cell).tokens.map(({ symbol, owner }) => `${owner} ${symbol}`);
    const is = contentOf(after, cell).tokens.map(({ symbol, owner }) => `${owner} ${symbol}`);
    gone.push(...was.filter((name) => !is.includes(name)).map((name) => ({ cell, name })));
    come.push(...is.filter((name) => !was.includes(name)).map((name) => ({ cell, name })));
  }
  const found = come.flatMap(({ cell, name }) => {
    const index = gone.findIndex((one) => one.name === name);
    const [one] = index < 0 ? [] : gone.splice(index, 1);
    return one ? [{ from: one.cell, to: cell }] : [];
  });
  return found.length > MOST ? [] : found;
}

export function wantsStillness(): boolean {
  return typeof matchMedia !== "function" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Let tokens glide to where they stand now. `stage` is a layer above the board; the answer ends it at once. */
export function travel(stage: SVGGElement, byId: ReadonlyMap<string, CellBox>, ways: readonly Journey[]): () => void {
  const ends = ways.flatMap(({ from, to }) => {
    const [start, end] = [byId.get(from), byId.get(to)];
    if (!start || !end || typeof stage.animate !== "function") return [];
    const [x, y] = centre(start);
    const [toX, toY] = centre(end);
    const carrier = document.createElementNS("http://www.w3.org/2000/svg", "g");
    carrier.append(copyOf(end, tokenElements(end.element)));
    stage.append(carrier);
    end.element.classList.add("arriving");
    const stop = () => {
      end.element.classList.remove("arriving");
      carrier.remove();
    };
    const journey = carrier.animate(
      [{ transform: `translate(${x}px, ${y}px)` }, { transform: `translate(${toX}px, ${toY}px)` }],
      { duration: MILLISECONDS, easing: "ease-out", fill: "both" },
    );
    journey.onfinish = stop;
    return [stop];
  });
  return () => ends.forEach((stop) => stop());
}
