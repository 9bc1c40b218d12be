/** What stands on a cell of a drawing, and what a palette calls it. */

import type { PaletteEntry } from "../api/types";

export interface TokenName {
  symbol: string;
  label: string;
}

/** The elements that draw what stands on a cell, the lowest first; prints and hatchings are none. */
export function tokenElements(cell: Element): Element[] {
  const named = Array.from(cell.querySelectorAll("[data-token]"));
  if (named.length) return named;
  return Array.from(cell.children).filter((child) => {
    const tag = child.tagName.toLowerCase();
    if (!child.hasAttribute("class")) return false;
    if (tag === "g") return true;
    return tag === "use" && drawingOf(child)?.firstElementChild?.tagName.toLowerCase() !== "rect";
  });
}

function drawingOf(use: Element): Element | null {
  const id = use.getAttribute("href")?.slice(1);
  if (!id) return null;
  const root = use.closest("svg[viewBox]:not(g svg)") ?? use.ownerDocument.documentElement;
  return root.querySelector(`[id="${id}"]`) ?? use.ownerDocument.getElementById(id);
}

/** How a token looks: the strokes of its drawing and the colours of its owner. */
export function lookOf(token: Element, style: string): string {
  const strokes = token.tagName.toLowerCase() === "use" ? drawingOf(token) : token;
  const shape = Array.from(strokes?.querySelectorAll("path") ?? [], (path) => path.getAttribute("d")).join("|");
  const owner = token.getAttribute("class")?.split(" ")[0] ?? "";
  const rule = style.split("}").find((part) => part.startsWith(`.${owner}{`)) ?? "";
  return `${shape || token.textContent}#${rule.slice(rule.indexOf("{") + 1)}`;
}

export class Names {
  readonly #byLook = new Map<string, TokenName>();

  constructor(palette: readonly PaletteEntry[]) {
    const parser = new DOMParser();
    for (const entry of palette) {
      const picture = parser.parseFromString(entry.svg, "image/svg+xml").documentElement;
      const token = Array.from(picture.querySelectorAll("use[class], g[class]")).find(
        (element) => !element.closest("defs"),
      );
      if (!token) continue;
      const look = lookOf(token, picture.querySelector("style")?.textContent ?? "");
      if (!this.#byLook.has(look)) this.#byLook.set(look, { symbol: entry.symbol, label: entry.label });
    }
  }

  of(token: Element, style: string): TokenName | null {
    const symbol = token.getAttribute("data-token");
    if (symbol) return { symbol, label: token.getAttribute("data-label") ?? symbol };
    return this.#byLook.get(lookOf(token, style)) ?? null;
  }
}
