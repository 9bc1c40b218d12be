/** Drawings as the page wears them: parsed once, their style sheet apart and without the lines below them. */

export interface Picture {
  root: SVGSVGElement;
  style: string;
  size: [number, number];
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
  const size: [number, number] = [width, Math.min(height, takeCaptions(root))];
  root.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  return { root: root as unknown as SVGSVGElement, style, size };
}

/** Take the lines below a drawing off it, which the page sets in its own letters; the answer is where they began. */
function takeCaptions(root: Element): number {
  const lines = Array.from(root.children).filter((child) => child.tagName.toLowerCase() === "text");
  const tops = lines.map((line) => Number(line.getAttribute("y")) - Number(line.getAttribute("font-size")));
  for (const line of lines) line.remove();
  return Math.min(Infinity, ...tops);
}

/** The style sheets on the page, and how many drawings wear each: most drawings of a game have the same. */
const worn = new Map<string, { sheet: CSSStyleSheet; wearers: number }>();

/**
 * Put the style sheet of a drawing on the page; the answer takes it off again.
 *
 * A sheet that nobody wears stays until another one comes: the next drawing mostly brings the same, and with every change of
 * the sheets the browser styles the whole page anew.
 */
export function wear(node: SVGSVGElement, style: string): () => void {
  if (!("adoptedStyleSheets" in document) || typeof CSSStyleSheet.prototype.replaceSync !== "function") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "style");
    element.textContent = style;
    node.prepend(element);
    return () => undefined;
  }
  const one = worn.get(style) ?? putOn(style);
  one.wearers += 1;
  return () => void (one.wearers -= 1);
}

function putOn(style: string) {
  const idle = [...worn].filter(([, { wearers }]) => !wearers);
  for (const [text] of idle) worn.delete(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  const one = { sheet, wearers: 0 };
  worn.set(style, one);
  const left = new Set(idle.map(([, gone]) => gone.sheet));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((other) => !left.has(other)), sheet];
  return one;
}
