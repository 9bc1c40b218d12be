/**
 * What a pointer does on a board: a press picks, a drag moves or paints, the right button or a long press draws.
 *
 * A finger on something that can be moved drags it; anywhere else it scrolls the page.
 */

import { useEffect, useRef, type MouseEvent, type PointerEvent, type RefObject } from "react";
import type { Token } from "../api/types";
import { contentOf, tokenElements, type Contents } from "./cells";
import type { CellBox } from "./geometry";
import type { Ghost } from "./ghost";

export interface PointerActions {
  byId: ReadonlyMap<string, CellBox>;
  contents: Contents;
  canDrag: (cell: string) => boolean;
  onPress: () => void;
  onPick: ((cell: string, token: Token | null, dragging: boolean) => void) | undefined;
  onDrop: ((from: string, to: string) => boolean | Promise<boolean>) | undefined;
  onHover: ((cell: string | null) => void) | undefined;
  /** Something was pointed out, from one cell to another or to itself. */
  onPoint: (from: string, to: string) => void;
  /** What would be pointed out if the pointer were let go now; null where nothing would. */
  onAim: (from: string, to: string | null) => void;
  /** A pressed pointer comes over a cell: where this is given, nothing is dragged. */
  onStroke?: ((cell: string) => void) | undefined;
  /** What was dragged was let go beside the board. */
  onDropOff?: ((from: string) => void) | undefined;
}

interface Press {
  from: string;
  pointer: number;
  x: number;
  y: number;
  token: Token | null;
  tokenIndex: number | null;
  kind: "press" | "drag" | "point" | "stroke";
  /** The cell that a stroke came over last. */
  over: string;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const DRAG_DISTANCE = 5;
const LONG_PRESS = 450;
/** How close together a stroke looks where it is, in pixels: less than the smallest cell. */
const STROKE_STEP = 8;
const RIGHT = 2;

export function usePointer(host: RefObject<HTMLDivElement | null>, ghost: Ghost, actions: PointerActions) {
  const press = useRef<Press | null>(null);
  const latest = useRef(actions);
  latest.current = actions;

  // What stands on the board to be chosen from may be drawn too, and is none of its cells.
  const cellOf = (target: EventTarget | null) =>
    (target as Element | null)?.closest?.(".forsyth-paper [data-square]")?.getAttribute("data-square") ?? null;
  const cellAt = (x: number, y: number) => {
    const found = document.elementFromPoint(x, y);
    return found && host.current?.contains(found) ? cellOf(found) : null;
  };

  // React listens passively; only here can a touch be kept from scrolling the page.
  useEffect(() => {
    const board = host.current;
    const keep = (event: TouchEvent) => {
      const cell = cellOf(event.target);
      const { onStroke, onDrop, canDrag } = latest.current;
      if (cell && event.touches.length === 1 && (onStroke || (onDrop && canDrag(cell)))) event.preventDefault();
    };
    board?.addEventListener("touchstart", keep, { passive: false });
    return () => board?.removeEventListener("touchstart", keep);
  }, [host]);

  /** The token under the pointer; the lowest of several stands for all of them. */
  const tokenUnder = (target: EventTarget, cell: string): [Token | null, number | null] => {
    const { tokens } = contentOf(actions.contents, cell);
    if (tokens.length === 1) return [tokens[0] ?? null, null];
    const box = actions.byId.get(cell);
    const index = box ? tokenElements(box.element).findIndex((element) => element.contains(target as Node)) : -1;
    return index > 0 ? [tokens[index] ?? null, index] : [null, null];
  };

  const capture = (pointer: number) => host.current?.setPointerCapture?.(pointer);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if ((event.button !== 0 && event.button !== RIGHT) || press.current) return;
    actions.onPress();
    const cell = cellOf(event.target);
    if (!cell) return;
    const [token, tokenIndex] = tokenUnder(event.target, cell);
    const begun: Press = {
      from: cell,
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      token,
      tokenIndex,
      kind: event.button === RIGHT ? "point" : "press",
      over: cell,
      timer: undefined,
    };
    if (event.pointerType === "touch") {
      begun.timer = setTimeout(() => {
        if (begun.kind !== "press") return;
        begun.kind = "point";
        capture(begun.pointer);
        latest.current.onAim(begun.from, begun.from);
        navigator.vibrate?.(10);
      }, LONG_PRESS);
    }
    press.current = begun;
  };

  /** Go over the cells between where the pointer was and where it is, each once: a quick one leaves none out. */
  const stroke = (current: Press, { clientX, clientY }: PointerEvent) => {
    const [fromX, fromY] = [current.x, current.y];
    const steps = Math.ceil(Math.hypot(clientX - fromX, clientY - fromY) / STROKE_STEP);
    for (let step = 1; step <= steps; step += 1) {
      const cell = cellAt(fromX + ((clientX - fromX) * step) / steps, fromY + ((clientY - fromY) * step) / steps);
      if (!cell || cell === current.over) continue;
      current.over = cell;
      actions.onStroke?.(cell);
    }
    [current.x, current.y] = [clientX, clientY];
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const current = press.current;
    if (!current) return actions.onHover?.(cellOf(event.target));
    if (current.kind === "point") return actions.onAim(current.from, cellAt(event.clientX, event.clientY));
    if (current.kind === "press") {
      if (Math.hypot(event.clientX - current.x, event.clientY - current.y) <= DRAG_DISTANCE) return;
      clearTimeout(current.timer);
      if (actions.onStroke) {
        current.kind = "stroke";
        capture(current.pointer);
        actions.onStroke(current.from);
      }
    }
    if (current.kind === "stroke") return stroke(current, event);
    if (current.kind === "press") {
      const box = actions.byId.get(current.from);
      if (!actions.onDrop || !box || !actions.canDrag(current.from)) return;
      current.kind = "drag";
      capture(current.pointer);
      actions.onPick?.(current.from, current.token, true);
      ghost.lift(box, current.tokenIndex);
    }
    ghost.moveTo(event.clientX, event.clientY);
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const current = press.current;
    press.current = null;
    if (!current) return;
    clearTimeout(current.timer);
    if (current.kind === "press") return actions.onPick?.(current.from, current.token, false);
    if (current.kind === "stroke") return;
    const under = cellAt(event.clientX, event.clientY);
    if (current.kind === "point") {
      actions.onAim(current.from, null);
      return under ? actions.onPoint(current.from, under) : undefined;
    }
    const [from, to] = [actions.byId.get(current.from), actions.byId.get(under ?? "")];
    if (from && !under && actions.onDropOff && !within(host.current, event)) {
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
    if (cellOf(event.target)) event.preventDefault();
  };

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onContextMenu };
}

/** Whether a pointer is on an element. */
function within(element: Element | null, { clientX, clientY }: PointerEvent): boolean {
  const box = element?.getBoundingClientRect();
  return Boolean(box && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom);
}
