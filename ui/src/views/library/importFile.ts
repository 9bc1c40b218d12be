/** A file of JSON lines, as the library is exported, into the library: part by part, and what is refused is said. */

import { api } from "../../api/client";
import { textOfFile } from "../../text/files";
import { linesOf } from "../../text/pasted";

/** Letters of one request: the service takes no long ones. */
const PART = 40_000;
const SHOWN = 5;

export interface ImportResult {
  saved: number;
  refused: number;
  /** What was wrong with the first of them, by the line of the file. */
  problems: string[];
}

export async function importFile(file: File): Promise<ImportResult> {
  const lines = linesOf(await textOfFile(file));
  const result: ImportResult = { saved: 0, refused: 0, problems: [] };
  for (let from = 0; from < lines.length; ) {
    let end = from;
    let letters = 0;
    while (end < lines.length && (end === from || letters + byteLength(lines[end]) < PART)) {
      letters += byteLength(lines[end]);
      end += 1;
    }
    await importPart(lines.slice(from, end).map(named), from, result);
    from = end;
  }
  return result;
}

/** A line without a name gets one: without it a position is not in the library. */
function named(line: string): string {
  try {
    const value = JSON.parse(line) as unknown;
    const entry = typeof value === "string" ? { text: value } : (value as Record<string, unknown>);
    return JSON.stringify({ ...entry, name: entry.name || "Imported" });
  } catch {
    return JSON.stringify({ text: line, name: "Imported" });
  }
}

async function importPart(lines: readonly string[], from: number, result: ImportResult): Promise<void> {
  for await (const answers of api.importSaved(lines)) {
    for (const answer of answers) {
      if ("saved" in answer) {
        result.saved += answer.saved;
        result.refused += answer.refused;
      } else if (result.problems.length < SHOWN) {
        result.problems.push(`line ${from + answer.line}: ${answer.message}`);
      }
    }
  }
}

function byteLength(text = ""): number {
  return new TextEncoder().encode(text).length + 1;
}
