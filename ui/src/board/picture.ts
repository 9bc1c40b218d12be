/** Drawings as the page wears them: parsed once, their style sheet apart, so that no inline style is needed. */

export interface Picture {
  root: SVGSVGElement;
  style: string;
  size: [number, number];
}

export function parsePicture(svg: string): Picture | null {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (root.tagName.toLowerCase() !== "svg") return null;
  const style = Array.from(root.querySelectorAll("style"), (element) => element.textContent ?? "").join("");
  for (const element of root.querySelectorAll("style, script")) element.remove();
  const [, , width = 100, height = 100] = (root.getAttribute("viewBox") ?? "").split(/[ ,]+/).map(Number);
  for (const name of ["width", "height", "role", "aria-labelledby"]) root.removeAttribute(name);
  for (const child of Array.from(root.children)) {
    if (["title", "desc"].includes(child.tagName.toLowerCase())) child.remove();
  }
  return { root: root as unknown as SVGSVGElement, style, size: [width, height] };
}

/** Put the style sheet of a drawing on the page; the answer takes it off again. */
export function wear(node: SVGSVGElement, style: string): () => void {
  if (!("adoptedStyleSheets" in document) || typeof CSSStyleSheet.prototype.replaceSync !== "function") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "style");
    element.textContent = style;
    node.prepend(element);
    return () => undefined;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}
