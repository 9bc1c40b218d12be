/**
 * Pointer input on a board. A click picks a cell, a drag moves pieces or paints, the right button or a long press draws.
 *
 * A finger drags a piece that can be moved. Anywhere else it scrolls the page.
 */

import { useEffect, useRef, type MouseEvent, type PointerEvent, type RefObject } from "react";
import type { Token } from "../api/types";
import { contentOf, tokenElements, type Contents } from "./cells";
import type { CellBox } from "./geometry";
import type { Ghost } from "./ghost";

/** The board's cells and its reactions to the pointer. */
export interface PointerActions {
  byId: ReadonlyMap<string, CellBox>;
  contents: Contents;
  canDrag: (cell: string) => boolean;
  onPress: () => void;
  onPick: ((cell: string, token: Token | null, dragging: boolean) => void) | undefined;
  onDrop: ((from: string, to: string) => boolean | Promise<boolean>) | undefined;
  onHover: ((cell: string | null) => void) | undefined;
  /** An arrow was drawn, or a circle if `from` and `to` are the same cell. */
  onPoint: (from: string, to: string) => void;
  /** An arrow is being drawn. `to` is null if releasing the pointer now would draw nothing. */
  onAim: (from: string, to: string | null) => void;
  /** A pressed pointer enters a cell. If this is set, pieces cannot be dragged. */
  onStroke?: ((cell: string) => void) | undefined;
  /** Pieces of `from` were dropped outside the board. */
  onDropOff?: ((from: string) => void) | undefined;
}

/** The state of a pressed pointer. */
interface Press {
  from: string;
  pointer: number;
  x: number;
  y: number;
  token: Token | null;
  tokenIndex: number | null;
  kind: "press" | "drag" | "point" | "stroke";
  /** The last cell of a stroke. */
  over: string;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Distance after which a press becomes a drag, in pixels. */
const MIN_DRAG_DISTANCE = 5;
/** Time after which a touch draws instead of picking, in milliseconds. */
const LONG_PRESS = 450;
/** Distance between the points of a stroke that are checked for a cell, in pixels. Less than the smallest cell. */
const STROKE_STEP = 8;
/** `button` of the right mouse button. */
const RIGHT_BUTTON = 2;

/** Return the event handlers of a board. `host` is its element. */
export function usePointer(boardRef: RefObject<HTMLDivElement | null>, ghost: Ghost, actions: PointerActions) {
  const press = useRef<Press | null>(null);
  const latest = useRef(actions);
  latest.current = actions;

  // Choices shown on the board may contain drawings too. Their cells do not belong to the board.
  const closestCell = (target: EventTarget | null) =>
    (target as Element | null)?.closest?.(".forsyth-paper [data-square]")?.getAttribute("data-square") ?? null;
  const cellAt = (x: number, y: number) => {
    const element = document.elementFromPoint(x, y);
    return element && boardRef.current?.contains(element) ? closestCell(element) : null;
  };

  // React's touch listeners are passive, so they cannot keep a touch from scrolling the page.
  useEffect(() => {
    const board = boardRef.current;
    const preventScrolling = (event: TouchEvent) => {
      const cell = closestCell(event.target);
      const { onStroke, onDrop, canDrag } = latest.current;
      if (cell && event.touches.length === 1 && (onStroke || (onDrop && canDrag(cell)))) event.preventDefault();
    };
    board?.addEventListener("touchstart", preventScrolling, { passive: false });
    return () => board?.removeEventListener("touchstart", preventScrolling);
  }, [boardRef]);

  /** Return the token under the pointer and its index. Null means all tokens of the cell, as does the lowest one of several. */
  const tokenUnder = (target: EventTarget, cell: string): [Token | null, number | null] => {
    const { tokens } = contentOf(actions.contents, cell);
    if (tokens.length === 1) return [tokens[0] ?? null, null];
    const box = actions.byId.get(cell);
    const index = box ? tokenElements(box.element).findIndex((element) => element.contains(target as Node)) : -1;
    return index > 0 ? [tokens[index] ?? null, index] : [null, null];
  };

  const capture = (pointer: number) => boardRef.current?.setPointerCapture?.(pointer);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if ((event.button !== 0 && event.button !== RIGHT_BUTTON) || press.current) return;
    actions.onPress();
    const cell = closestCell(event.target);
    if (!cell) return;
    const [token, tokenIndex] = tokenUnder(event.target, cell);
    const newPress: Press = {
      from: cell,
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      token,
      tokenIndex,
      kind: event.button === RIGHT_BUTTON ? "point" : "press",
      over: cell,
      timer: undefined,
    };
    if (event.pointerType === "touch") {
      newPress.timer = setTimeout(() => {
        if (newPress.kind !== "press") return;
        newPress.kind = "point";
        capture(newPress.pointer);
        latest.current.onAim(newPress.from, newPress.from);
        navigator.vibrate?.(10);
      }, LONG_PRESS);
    }
    press.current = newPress;
  };

  /** Report every cell between the last position of the pointer and the current one, so that fast strokes skip none. */
  const continueStroke = (active: Press, { clientX, clientY }: PointerEvent) => {
    const [fromX, fromY] = [active.x, active.y];
    const steps = Math.ceil(Math.hypot(clientX - fromX, clientY - fromY) / STROKE_STEP);
    for (let step = 1; step <= steps; step += 1) {
      const cell = cellAt(fromX + ((clientX - fromX) * step) / steps, fromY + ((clientY - fromY) * step) / steps);
      if (!cell || cell === active.over) continue;
      active.over = cell;
      actions.onStroke?.(cell);
    }
    [active.x, active.y] = [clientX, clientY];
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const active = press.current;
    if (!active) return actions.onHover?.(closestCell(event.target));
    if (active.kind === "point") return actions.onAim(active.from, cellAt(event.clientX, event.clientY));
    if (active.kind === "press") {
      if (Math.hypot(event.clientX - active.x, event.clientY - active.y) <= MIN_DRAG_DISTANCE) return;
      clearTimeout(active.timer);
      if (actions.onStroke) {
        active.kind = "stroke";
        capture(active.pointer);
        actions.onStroke(active.from);
      }
    }
    if (active.kind === "stroke") return continueStroke(active, event);
    if (active.kind === "press") {
      const box = actions.byId.get(active.from);
      if (!actions.onDrop || !box || !actions.canDrag(active.from)) return;
      active.kind = "drag";
      capture(active.pointer);
      actions.onPick?.(active.from, active.token, true);
      ghost.lift(box, active.tokenIndex);
    }
    ghost.moveTo(event.clientX, event.clientY);
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const active = press.current;
    press.current = null;
    if (!active) return;
    clearTimeout(active.timer);
    if (active.kind === "press") return actions.onPick?.(active.from, active.token, false);
    if (active.kind === "stroke") return;
    const cellUnder = cellAt(event.clientX, event.clientY);
    if (active.kind === "point") {
      actions.onAim(active.from, null);
      return cellUnder ? actions.onPoint(active.from, cellUnder) : undefined;
    }
    const [from, to] = [actions.byId.get(active.from), actions.byId.get(cellUnder ?? "")];
    if (from && !cellUnder && actions.onDropOff && !isInside(boardRef.current, event)) {
      ghost.putBack(from);
      return actions.onDropOff(from.id);
    }
    if (!from || !to || to.id === from.id || !actions.onDrop) return ghost.putBack(from);
    void ghost.layDown(from, to, actions.onDrop(from.id, to.id));
  };

  const onPointerCancel = () => {
    clearTimeout(press.current?.timer);
    if (press.current) {
      ghost.putBack(actions.byId.get(press.current.from));
      actions.onAim(press.current.from, null);
    }
    press.current = null;
  };

  const onContextMenu = (event: MouseEvent) => {
    if (closestCell(event.target)) event.preventDefault();
  };

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onContextMenu };
}

/** Report whether a pointer is inside the bounds of an element. */
function isInside(element: Element | null, { clientX, clientY }: PointerEvent): boolean {
  const box = element?.getBoundingClientRect();
  return Boolean(box && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom);
}
