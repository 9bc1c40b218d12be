/** What is dragged, drawn again above the board. */

import { useRef, type RefObject } from "react";
import { tokenElements } from "./cells";
import { centre, type CellBox } from "./geometry";

export interface Ghost {
  ref: RefObject<SVGGElement | null>;
  /** Take up the tokens of a cell, or one of them. */
  lift: (box: CellBox, only: number | null) => void;
  moveTo: (x: number, y: number) => void;
  /** Let it lie on a cell while the service is asked; without an answer it goes back. */
  layDown: (from: CellBox, to: CellBox, taken: boolean | Promise<boolean>) => Promise<void>;
  putBack: (from: CellBox | undefined) => void;
}

/** How long a piece lies where it was dropped without an answer, in milliseconds. */
const PATIENCE = 1500;

export function useGhost(): Ghost {
  const ref = useRef<SVGGElement>(null);

  const putBack = (from: CellBox | undefined) => {
    from?.element.classList.remove("lifted");
    ref.current?.replaceChildren();
  };

  return {
    ref,
    putBack,
    lift: (box, only) => {
      const all = tokenElements(box.element);
      const lifted = only === null ? all : all.slice(only, only + 1);
      ref.current?.replaceChildren(copyOf(box, lifted));
      box.element.classList.add("lifted");
    },
    moveTo: (x, y) => {
      const matrix = ref.current?.ownerSVGElement?.getScreenCTM?.()?.inverse();
      if (!matrix) return;
      const point = new DOMPoint(x, y).matrixTransform(matrix);
      ref.current?.setAttribute("transform", `translate(${point.x} ${point.y})`);
    },
    layDown: async (from, to, taken) => {
      const [x, y] = centre(to);
      ref.current?.setAttribute("transform", `translate(${x} ${y})`);
      const laid = ref.current?.firstChild;
      const forget = () => ref.current?.firstChild === laid && putBack(from);
      if (await taken) setTimeout(forget, PATIENCE);
      else forget();
    },
  };
}

/** Tokens drawn again around the origin, in the units of the board. */
export function copyOf(box: CellBox, tokens: readonly Element[]): SVGGElement {
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const [cx, cy] = centre(box);
  const place = box.element.parentElement?.getAttribute("transform") ?? "";
  group.setAttribute("transform", `translate(${-cx} ${-cy}) ${place}`);
  group.append(...tokens.map((token) => token.cloneNode(true)));
  return group;
}
