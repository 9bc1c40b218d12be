/** Parsed drawings of the service: SVG without its style sheet and without the captions below the board. */

/** A parsed drawing. `size` is its width and height, in its units. */
export interface Picture {
  root: SVGSVGElement;
  style: string;
  size: [number, number];
}

/** Maximum number of cached drawings: the current and the previous one of two boards. */
const MAX_CACHED = 4;
const cache = new Map<string, Picture | null>();

/** Parse a drawing, or return it from the cache. Return null if `svg` is not an SVG document. */
export function parsePicture(svg: string): Picture | null {
  const cached = cache.get(svg);
  if (cached !== undefined) return cached;
  const picture = parse(svg);
  cache.set(svg, picture);
  const oldest = cache.keys().next();
  if (cache.size > MAX_CACHED && !oldest.done) cache.delete(oldest.value);
  return picture;
}

/** Parse a drawing, and remove everything that the page replaces: styles, scripts, captions, size and names. */
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
  const size: [number, number] = [width, Math.min(height, removeCaptions(root))];
  root.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  return { root: root as unknown as SVGSVGElement, style, size };
}

/** Remove the captions below a drawing, which the page renders as text. Return the top of the first one, else Infinity. */
function removeCaptions(root: Element): number {
  const lines = Array.from(root.children).filter((child) => child.tagName.toLowerCase() === "text");
  const captionTops = lines.map((line) => Number(line.getAttribute("y")) - Number(line.getAttribute("font-size")));
  for (const line of lines) line.remove();
  return Math.min(Infinity, ...captionTops);
}

/** The adopted style sheets by their text, and the number of drawings that use each. */
const styleSheets = new Map<string, { sheet: CSSStyleSheet; users: number }>();

/**
 * Add the style sheet of a drawing to the page. Return a function that releases it.
 *
 * An unused sheet stays until another one is added. The next drawing usually has the same sheet, and every change of the
 * adopted sheets makes the browser restyle the whole page.
 */
export function applyStyle(node: SVGSVGElement, style: string): () => void {
  if (!("adoptedStyleSheets" in document) || typeof CSSStyleSheet.prototype.replaceSync !== "function") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "style");
    element.textContent = style;
    node.prepend(element);
    return () => undefined;
  }
  const entry = styleSheets.get(style) ?? adoptSheet(style);
  entry.users += 1;
  return () => void (entry.users -= 1);
}

/** Adopt a new style sheet, and remove the unused ones. */
function adoptSheet(style: string) {
  const unused = [...styleSheets].filter(([, { users }]) => !users);
  for (const [text] of unused) styleSheets.delete(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  const added = { sheet, users: 0 };
  styleSheets.set(style, added);
  const unusedSheets = new Set(unused.map(([, entry]) => entry.sheet));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((adopted) => !unusedSheets.has(adopted)), sheet];
  return added;
}
