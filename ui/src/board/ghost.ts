/** A copy of the dragged pieces that follows the pointer above the board. */

import { useRef, type RefObject } from "react";
import { tokenElements } from "./cells";
import { centre, type CellBox } from "./geometry";

/** The copy of the dragged pieces, and functions that move it. */
export interface Ghost {
  ref: RefObject<SVGGElement | null>;
  /** Start to drag all pieces of a cell, or only the one at index `tokenIndex`. */
  lift: (box: CellBox, tokenIndex: number | null) => void;
  /** Move the copy to a point of the screen, in client pixels. */
  moveTo: (x: number, y: number) => void;
  /** Drop the copy on `to`. It goes back when `accepted` is false, or when no new drawing arrives in time. */
  layDown: (from: CellBox, to: CellBox, accepted: boolean | Promise<boolean>) => Promise<void>;
  /** Remove the copy and show the pieces on their cell again. */
  putBack: (from: CellBox | undefined) => void;
}

/** Time after which an accepted drop goes back if no new drawing arrived, in milliseconds. */
const DROP_TIMEOUT = 1500;

/** Create the copy of the dragged pieces. Its `ref` belongs on a group above the board. */
export function useGhost(): Ghost {
  const ref = useRef<SVGGElement>(null);

  const putBack = (from: CellBox | undefined) => {
    from?.element.classList.remove("lifted");
    ref.current?.replaceChildren();
  };

  return {
    ref,
    putBack,
    lift: (box, tokenIndex) => {
      const tokens = tokenElements(box.element);
      const lifted = tokenIndex === null ? tokens : tokens.slice(tokenIndex, tokenIndex + 1);
      ref.current?.replaceChildren(copyTokens(box, lifted));
      box.element.classList.add("lifted");
    },
    moveTo: (x, y) => {
      const matrix = ref.current?.ownerSVGElement?.getScreenCTM?.()?.inverse();
      if (!matrix) return;
      const point = new DOMPoint(x, y).matrixTransform(matrix);
      ref.current?.setAttribute("transform", `translate(${point.x} ${point.y})`);
    },
    layDown: async (from, to, accepted) => {
      const [x, y] = centre(to);
      ref.current?.setAttribute("transform", `translate(${x} ${y})`);
      const ghost = ref.current?.firstChild;
      const removeGhost = () => ref.current?.firstChild === ghost && putBack(from);
      if (await accepted) setTimeout(removeGhost, DROP_TIMEOUT);
      else removeGhost();
    },
  };
}

/** Copy pieces into a group centred on the origin, in the units of the board. */
export function copyTokens(box: CellBox, tokens: readonly Element[]): SVGGElement {
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const [cx, cy] = centre(box);
  const place = box.element.parentElement?.getAttribute("transform") ?? "";
  group.setAttribute("transform", `translate(${-cx} ${-cy}) ${place}`);
  group.append(...tokens.map((token) => token.cloneNode(true)));
  return group;
}
