/** Drawings as the page wears them: parsed once, their style sheet and their captions apart. */

export interface Picture {
  root: SVGSVGElement;
  style: string;
  size: [number, number];
  /** The lines below the drawing, which the page sets in its own letters. */
  captions: readonly string[];
}

/** How many drawings are remembered: that on the board, the one before, and as many of another view. */
const REMEMBERED = 4;
const parsed = new Map<string, Picture | null>();

export function parsePicture(svg: string): Picture | null {
  const known = parsed.get(svg);
  if (known !== undefined) return known;
  const picture = parse(svg);
  parsed.set(svg, picture);
  const oldest = parsed.keys().next();
  if (parsed.size > REMEMBERED && !oldest.done) parsed.delete(oldest.value);
  return picture;
}

function parse(svg: string): Picture | null {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (root.tagName.toLowerCase() !== "svg") return null;
  const style = Array.from(root.querySelectorAll("style"), (element) => element.textContent ?? "").join("");
  for (const element of root.querySelectorAll("style, script")) element.remove();
  const [, , width = 100, height = 100] = (root.getAttribute("viewBox") ?? "").split(/[ ,]+/).map(Number);
  for (const name of ["width", "height", "role", "aria-labelledby"]) root.removeAttribute(name);
  for (const child of Array.from(root.children)) {
    if (["title", "desc"].includes(child.tagName.toLowerCase())) child.remove();
  }
  const captions = takeCaptions(root);
  const size: [number, number] = [width, captions.top === null ? height : Math.min(height, captions.top)];
  root.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  return { root: root as unknown as SVGSVGElement, style, size, captions: captions.words };
}

/** Take the captions off a drawing that stand below it; `top` is where the first of them began. */
function takeCaptions(root: Element): { words: string[]; top: number | null } {
  const lines = Array.from(root.children).filter((child) => child.tagName.toLowerCase() === "text");
  const words = lines.map((line) => line.textContent ?? "");
  const tops = lines.map((line) => Number(line.getAttribute("y")) - Number(line.getAttribute("font-size")));
  for (const line of lines) line.remove();
  return { words: words.filter(Boolean), top: tops.length ? Math.min(...tops) : null };
}

/** The lines below a drawing. */
export function captionsOf(svg: string | null | undefined): readonly string[] {
  return (svg ? parsePicture(svg)?.captions : null) ?? [];
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
