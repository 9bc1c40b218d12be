/**
 * Detection of pasted content: a position, a game record, many texts, or a link that contains one of them.
 *
 * A link is only parsed, never opened. A parameter with a usual name, such as `fen` or `pgn`, has priority. Otherwise the
 * path is searched for consecutive segments that are board rows of equal width, and pieces in hand may follow as one more
 * segment. In a path, `_` may stand for a space.
 */

/** Pasted content. A record keeps its white space. */
export interface PastedContent {
  kind: "text" | "record" | "many";
  text: string;
}

const POSITION_PARAMETERS = ["fen", "sfen", "position", "text", "setup"];
const RECORD_PARAMETERS = ["pgn", "moves", "kif", "record"];
/** Matches the start of a game record: a tag in brackets or the number of the first move, after comments. */
const RECORD_START = /^(?:\s|[%;][^\n]*\n|\{[^}]*\})*(?:\[[A-Za-z]\w*\s+"|1\s*\.(?:\s|\.|[A-Za-z]))/;
const LINK = /^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/\S*$|^https?:\/\/\S+$/i;
const BYTE_ORDER_MARK = /^\uFEFF/;
/** Matches the pieces in hand, if any, and the first field after them. */
const PIECES_IN_HAND = /^[A-Za-z~]* \S/;
const MIN_ROWS = 3;
const MAX_ROWS = 64;

/** Return the position, record or list of texts that `content` contains. */
export function classifyPaste(content: string): PastedContent {
  const text = content.replace(BYTE_ORDER_MARK, "").trim();
  const linked = LINK.test(text) ? contentOfLink(text) : null;
  if (linked) return linked;
  if (RECORD_START.test(text)) return { kind: "record", text: content };
  return { kind: linesOf(text).length > 1 ? "many" : "text", text };
}

/** Return the lines of a text that are not blank. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim());
}

/** Return the position or record that a link contains, or null. */
function contentOfLink(link: string): PastedContent | null {
  let url: URL;
  try {
    url = new URL(/^https?:/i.test(link) ? link : `https://${link}`);
  } catch {
    return null;
  }
  const parameterValues = new Map([...parseParameters(url.search), ...parseParameters(url.hash.slice(1))].map(([name, value]) => [name.toLowerCase(), value]));
  const position = firstParameter(parameterValues, POSITION_PARAMETERS);
  if (position) return { kind: "text", text: withSpaces(position) };
  const record = firstParameter(parameterValues, RECORD_PARAMETERS);
  if (record) return { kind: "record", text: record };
  return contentOfPath(url.pathname);
}

/** Return the names and values of a query string. */
function parseParameters(query: string): [string, string][] {
  return [...new URLSearchParams(query)];
}

/** Return the first parameter of `names` that is set and not blank. */
function firstParameter(parameterValues: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => parameterValues.get(name)?.trim()).find(Boolean);
}

/** Return the position or record that the path of a link contains, or null. */
function contentOfPath(path: string): PastedContent | null {
  const segments = decodePath(path).split("/").filter(Boolean);
  const record = segments.findIndex((segment) => RECORD_PARAMETERS.includes(segment.toLowerCase()));
  if (record >= 0 && record + 1 < segments.length) {
    return { kind: "record", text: segments.slice(record + 1).join(" ").replaceAll(/[_+]/g, " ") };
  }
  const parts = segments.map(withSpaces);
  const rowsBeforeHand = PIECES_IN_HAND.test(parts.at(-1) ?? "") ? joinRows(parts.slice(0, -1)) : null;
  const rows = joinRows(parts) ?? (rowsBeforeHand && `${rowsBeforeHand}/${parts.at(-1)}`);
  if (rows) return { kind: "text", text: rows };
  const marker = segments.indexOf("p");
  return marker >= 0 && marker + 1 < segments.length ? { kind: "text", text: segments.slice(marker + 1).join("/") } : null;
}

/** Return the trailing segments that are rows of equal width, joined with `/`, or null if there are too few. */
function joinRows(segments: readonly string[]): string | null {
  if (segments.length > MAX_ROWS) return null;
  const boards = segments.map((row) => row.split(" ")[0] ?? "");
  const widths = boards.map(countSquares);
  let start = segments.length - 1;
  while (start > 0 && widths[start] && widths[start - 1] === widths[start]) start -= 1;
  while (isFirstRowWord(boards.slice(start)) && segments.length - start > (widths[start] ?? 0)) start += 1;
  return segments.length - start < MIN_ROWS ? null : segments.slice(start).join("/");
}

/** Report whether the first row is a word of the same length: it contains letters that no other row contains. */
function isFirstRowWord([first = "", ...rows]: readonly string[]): boolean {
  const knownLetters = rows.join("").toLowerCase();
  return /^[a-z]+$/i.test(first) && Array.from(first.toLowerCase()).some((letter) => !knownLetters.includes(letter));
}

/** Count the squares of a row. A number counts as that many empty squares, a letter as one, signs as none. */
function countSquares(row: string): number {
  const plainRow = row.replaceAll(/\[[^\]]*\]/g, "").replaceAll(/\([^)]*\)/g, "x");
  const parts = plainRow.match(/\d+|[A-Za-z]/g) ?? [];
  return parts.reduce((sum, part) => sum + (/\d/.test(part) ? Number(part) : 1), 0);
}

/** Replace underscores by spaces, unless the text already has spaces. */
function withSpaces(text: string): string {
  return text.includes(" ") ? text : text.replaceAll("_", " ");
}

/** Decode percent escapes. Return the path unchanged if they are malformed. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
