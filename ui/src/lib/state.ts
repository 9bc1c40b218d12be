import { ApiError } from "../api/transport";
import type { Issue, ValidationReport } from "../api/types";

export type { Issue, ValidationReport };
export type Validate = (fen: string, signal?: AbortSignal) => Promise<ValidationReport>;
export type Load = (fen: string) => Promise<unknown>;

/** What is known about a text. */
export type Verdict =
  | { state: "empty" | "typing" | "validating" }
  | { state: "valid" | "warnings" | "invalid"; report: ValidationReport }
  | { state: "unavailable"; problem: string | null; reason: string | null };

const LONGEST = 65536;

export function verdictOf(report: ValidationReport): Verdict {
  if (!report.valid) return { state: "invalid", report };
  return { state: report.warnings?.length ? "warnings" : "valid", report };
}

/** What is left to say when there is no report: what the service said instead, and what can be seen without it. */
export function withoutReport(fen: string, error: unknown): Verdict {
  const reason = error instanceof ApiError && error.status ? error.message.replace(/\.$/, "") : null;
  return { state: "unavailable", problem: localCheck(fen), reason };
}

/** What can be said of a text without the service: only whether it can be one at all. */
function localCheck(fen: string): string | null {
  if (!fen.trim()) return "The text is empty.";
  if (fen.length > LONGEST) return "The text is too long.";
  if (/[\u0000-\u001f\u007f]/.test(fen.trim())) return "The text contains control characters.";
  return null;
}

const INVALID = "Invalid FEN";

/** The verdict on an invalid text: the service's own sentence where it begins with these words itself. */
export function headlineOf(report: ValidationReport): string {
  return report.error?.startsWith(INVALID) ? report.error : INVALID;
}

export function errorsOf(report: ValidationReport): readonly Issue[] {
  if (report.errors?.length) return report.errors;
  return report.error ? [{ code: "", message: report.error }] : [];
}

/** The errors that stand below the headline: all but the one that it says. */
export function belowHeadline(report: ValidationReport): readonly Issue[] {
  const headline = headlineOf(report);
  return errorsOf(report).filter(({ message }) => message !== headline);
}

/** An invalid text in one line. */
export function summaryOf(report: ValidationReport): string {
  const headline = headlineOf(report);
  if (headline !== INVALID) return headline;
  const first = errorsOf(report)[0];
  return `${INVALID}: ${first ? lineOf(first) : "no reason given"}`;
}

/** A finding in one line: where it is, then what it is. */
export function lineOf(issue: Issue): string {
  const where = issue.component ?? null;
  return where === null || where === "" ? issue.message : `${where}: ${issue.message}`;
}
