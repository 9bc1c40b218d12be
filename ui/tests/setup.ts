import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// A test may ask for a place without a browser; nothing of the rest is there then.
const inBrowser = typeof window === "object";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  if (!inBrowser) return;
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});

// jsdom has no pointer events; mouse events carry all that the board reads of them.
if (inBrowser && typeof window.PointerEvent !== "function") {
  class Pointer extends MouseEvent {
    readonly pointerId: number;
    constructor(type: string, init: PointerEventInit = {}) {
      super(type, init);
      this.pointerId = init.pointerId ?? 1;
    }
  }
  Object.assign(window, { PointerEvent: Pointer });
}
