import { useRef, useState, type PointerEvent } from "react";
import type { PaletteEntry } from "../../api/types";

/** How far a pointer goes before it drags, in pixels. */
const DISTANCE = 5;

export interface Dragged {
  entry: PaletteEntry;
  x: number;
  y: number;
}

/** Dragging from the palette onto a cell of the board, with a mouse, a pen or a finger. */
export function usePaletteDrag(onDrop: (entry: PaletteEntry, cell: string) => void) {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const pressed = useRef<Dragged | null>(null);
  const moved = useRef(false);

  const handlersOf = (entry: PaletteEntry) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      moved.current = false;
      pressed.current = { entry, x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture?.(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = pressed.current;
      if (!from) return;
      if (!moved.current && Math.hypot(event.clientX - from.x, event.clientY - from.y) <= DISTANCE) return;
      moved.current = true;
      setDragged({ entry, x: event.clientX, y: event.clientY });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const dropped = pressed.current && moved.current;
      // The click that belongs to this press comes before.
      setTimeout(() => (moved.current = false));
      pressed.current = null;
      setDragged(null);
      if (!dropped) return;
      const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(".forsyth-paper [data-square]");
      const name = cell?.getAttribute("data-square");
      if (name) onDrop(entry, name);
    },
    onPointerCancel: () => {
      pressed.current = null;
      setDragged(null);
    },
  });
  /** Whether the press that just ended was a drag: it chooses nothing. */
  const wasDrag = () => moved.current;
  return { dragged, handlersOf, wasDrag };
}
