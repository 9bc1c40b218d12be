/** Import of a file of JSON lines, as exported by the library. */

import { api } from "../../api/client";
import { textOfFile } from "../../text/files";
import { linesOf } from "../../text/pastedContent";

/** Maximum size of one request, in bytes. */
const MAX_REQUEST_BYTES = 40_000;
/** Maximum number of problems that are listed. */
const MAX_PROBLEMS = 5;

/** The result of an import. */
export interface ImportResult {
  saved: number;
  refused: number;
  /** Messages for the first rejected lines, with the line numbers of the file. */
  problems: string[];
}

/** Save all positions of a file in the library, several per request. */
export async function importFile(file: File): Promise<ImportResult> {
  const lines = linesOf(await textOfFile(file));
  const result: ImportResult = { saved: 0, refused: 0, problems: [] };
  for (let start = 0; start < lines.length; ) {
    let end = start;
    let size = 0;
    while (end < lines.length && (end === start || size + byteLength(lines[end]) < MAX_REQUEST_BYTES)) {
      size += byteLength(lines[end]);
      end += 1;
    }
    await importPart(lines.slice(start, end).map(withName), start, result);
    start = end;
  }
  return result;
}

/** Add a name to an entry that has none, because the library requires one. */
function withName(line: string): string {
  try {
    const parsed = JSON.parse(line) as unknown;
    const entry = typeof parsed === "string" ? { text: parsed } : (parsed as Record<string, unknown>);
    return JSON.stringify({ ...entry, name: entry.name || "Imported" });
  } catch {
    return JSON.stringify({ text: line, name: "Imported" });
  }
}

/** Import some lines and add their outcome to `result`. `from` is the number of lines before them. */
async function importPart(lines: readonly string[], from: number, result: ImportResult): Promise<void> {
  for await (const answers of api.importLibrary(lines)) {
    for (const answer of answers) {
      if ("saved" in answer) {
        result.saved += answer.saved;
        result.refused += answer.refused;
      } else if (result.problems.length < MAX_PROBLEMS) {
        result.problems.push(`line ${from + answer.line}: ${answer.message}`);
      }
    }
  }
}

/** Return the size of a line with its line break, in bytes. */
function byteLength(text = ""): number {
  return new TextEncoder().encode(text).length + 1;
}
