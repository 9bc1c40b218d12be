/**
 * What was pasted or dropped: a position, a record of a game, many texts, or an address that holds one of them.
 *
 * Of an address only its own letters are looked at, nobody is asked. A parameter that is called as positions or records
 * usually are wins; else the part of the path is taken whose segments are rows of the same width; what is in hand may
 * follow as a row of its own. Blanks may be written as `_` in a path.
 */

export interface Pasted {
  kind: "text" | "record" | "many";
  text: string;
}

const POSITIONS = ["fen", "sfen", "position", "text", "setup"];
const RECORDS = ["pgn", "moves", "kif", "record"];
/** A tag in brackets or the number of the first move: so begins a record and no position. */
const RECORD = /^(?:\s|[%;][^\n]*\n|\{[^}]*\})*(?:\[[A-Za-z]\w*\s+"|1\s*\.(?:\s|\.|[A-Za-z]))/;
const ADDRESS = /^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/\S*$|^https?:\/\/\S+$/i;
const BYTE_ORDER_MARK = /^\uFEFF/;
/** What is in hand, none perhaps, and the fields behind it. */
const HAND = /^[A-Za-z~]* \S/;
const FEWEST_ROWS = 3;
const MOST_ROWS = 64;

export function pasted(words: string): Pasted {
  const text = words.replace(BYTE_ORDER_MARK, "").trim();
  const found = ADDRESS.test(text) ? ofAddress(text) : null;
  if (found) return found;
  if (RECORD.test(text)) return { kind: "record", text: words };
  return { kind: linesOf(text).length > 1 ? "many" : "text", text };
}

/** The lines of a text that are not blank. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim());
}

function ofAddress(address: string): Pasted | null {
  let url: URL;
  try {
    url = new URL(/^https?:/i.test(address) ? address : `https://${address}`);
  } catch {
    return null;
  }
  const given = new Map([...parameters(url.search), ...parameters(url.hash.slice(1))].map(([name, value]) => [name.toLowerCase(), value]));
  const position = firstOf(given, POSITIONS);
  if (position) return { kind: "text", text: spaced(position) };
  const record = firstOf(given, RECORDS);
  if (record) return { kind: "record", text: record };
  return ofPath(url.pathname);
}

function parameters(query: string): [string, string][] {
  return [...new URLSearchParams(query)];
}

function firstOf(given: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => given.get(name)?.trim()).find(Boolean);
}

function ofPath(path: string): Pasted | null {
  const segments = decoded(path).split("/").filter(Boolean);
  const record = segments.findIndex((segment) => RECORDS.includes(segment.toLowerCase()));
  if (record >= 0 && record + 1 < segments.length) {
    return { kind: "record", text: segments.slice(record + 1).join(" ").replaceAll(/[_+]/g, " ") };
  }
  const parts = segments.map(spaced);
  const hand = HAND.test(parts.at(-1) ?? "") ? rowsIn(parts.slice(0, -1)) : null;
  const rows = rowsIn(parts) ?? (hand && `${hand}/${parts.at(-1)}`);
  if (rows) return { kind: "text", text: rows };
  const shared = segments.indexOf("p");
  return shared >= 0 && shared + 1 < segments.length ? { kind: "text", text: segments.slice(shared + 1).join("/") } : null;
}

/** The rows of a board among the segments of a path, with what stands behind them. */
function rowsIn(segments: readonly string[]): string | null {
  if (segments.length > MOST_ROWS) return null;
  const boards = segments.map((row) => row.split(" ")[0] ?? "");
  const widths = boards.map(widthOf);
  let start = segments.length - 1;
  while (start > 0 && widths[start] && widths[start - 1] === widths[start]) start -= 1;
  while (isWord(boards.slice(start)) && segments.length - start > (widths[start] ?? 0)) start += 1;
  return segments.length - start < FEWEST_ROWS ? null : segments.slice(start).join("/");
}

/** Whether the first of some rows is a word that happens to be as long: it has letters that no other row has. */
function isWord([first = "", ...rows]: readonly string[]): boolean {
  const known = rows.join("").toLowerCase();
  return /^[a-z]+$/i.test(first) && Array.from(first.toLowerCase()).some((letter) => !known.includes(letter));
}

/** How many places a row has: numbers are empty places, letters things, and signs belong to the letter beside them. */
function widthOf(row: string): number {
  const bare = row.replaceAll(/\[[^\]]*\]/g, "").replaceAll(/\([^)]*\)/g, "x");
  const parts = bare.match(/\d+|[A-Za-z]/g) ?? [];
  return parts.reduce((sum, part) => sum + (/\d/.test(part) ? Number(part) : 1), 0);
}

function spaced(text: string): string {
  return text.includes(" ") ? text : text.replaceAll("_", " ");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
