import { useRef, useState, type PointerEvent } from "react";
import type { PaletteEntry } from "../../api/types";

/** Distance after which a press becomes a drag, in pixels. */
const MIN_DRAG_DISTANCE = 5;

/** A palette entry and the position of the pointer, in client pixels. */
export interface DraggedEntry {
  entry: PaletteEntry;
  x: number;
  y: number;
}

/** Drag palette entries onto cells of the board, with a mouse, a pen or a finger. */
export function usePaletteDrag(onDrop: (entry: PaletteEntry, cell: string) => void) {
  const [dragged, setDragged] = useState<DraggedEntry | null>(null);
  const press = useRef<DraggedEntry | null>(null);
  const isDragging = useRef(false);

  const handlersOf = (entry: PaletteEntry) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      isDragging.current = false;
      press.current = { entry, x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture?.(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const start = press.current;
      if (!start) return;
      if (!isDragging.current && Math.hypot(event.clientX - start.x, event.clientY - start.y) <= MIN_DRAG_DISTANCE) return;
      isDragging.current = true;
      setDragged({ entry, x: event.clientX, y: event.clientY });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const wasDropped = press.current && isDragging.current;
      // The click event of this press fires first and must see that it was a drag.
      setTimeout(() => (isDragging.current = false));
      press.current = null;
      setDragged(null);
      if (!wasDropped) return;
      const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(".forsyth-paper [data-square]");
      const name = cell?.getAttribute("data-square");
      if (name) onDrop(entry, name);
    },
    onPointerCancel: () => {
      press.current = null;
      setDragged(null);
    },
  });
  /** Report whether the press that just ended was a drag. Its click must not choose an entry. */
  const wasDrag = () => isDragging.current;
  return { dragged, handlersOf, wasDrag };
}
