import { api } from "../api/client";
import type { Issue, ValidationReport } from "../api/types";

export type { Issue, ValidationReport };
export type Validate = (fen: string, signal?: AbortSignal) => Promise<ValidationReport>;
export type Load = (fen: string) => Promise<unknown>;

/** What is known about a text. */
export type Verdict =
  | { state: "empty" | "typing" | "validating" }
  | { state: "valid" | "warnings" | "invalid"; report: ValidationReport }
  | { state: "unavailable"; problem: string | null };

/** The game state of a text, as the service tells it. */
export const loadGameState: Load = async (fen) => (await api.gameState(fen)).game_state;

const LONGEST = 65536;

export function verdictOf(report: ValidationReport): Verdict {
  if (!report.valid) return { state: "invalid", report };
  return { state: report.warnings?.length ? "warnings" : "valid", report };
}

/** What can be said of a text without the service: only whether it can be one at all. */
export function localCheck(fen: string): string | null {
  if (!fen.trim()) return "The text is empty.";
  if (fen.length > LONGEST) return "The text is too long.";
  if (/[\u0000-\u001f\u007f]/.test(fen.trim())) return "The text contains control characters.";
  return null;
}

export function messagesOf(report: ValidationReport): Issue[] {
  if (report.errors?.length) return [...report.errors];
  return report.error ? [{ code: "", message: report.error }] : [];
}

/** A finding in one line: where it is, then what it is. */
export function lineOf(issue: Issue): string {
  const where = issue.component ?? null;
  return where === null || where === "" ? issue.message : `${where}: ${issue.message}`;
}
