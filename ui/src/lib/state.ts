import { ApiError } from "../api/transport";
import type { Issue, ValidationReport } from "../api/types";

export type { Issue, ValidationReport };
/** A function that validates a text. */
export type Validate = (fen: string, signal?: AbortSignal) => Promise<ValidationReport>;
/** A function that returns the game state of a text. */
export type Load = (fen: string) => Promise<unknown>;

/** The validation state of a text. `problem` and `reason` explain why there is no report. */
export type Verdict =
  | { state: "empty" | "typing" | "validating" }
  | { state: "valid" | "warnings" | "invalid"; report: ValidationReport }
  | { state: "unavailable"; problem: string | null; reason: string | null };

const MAX_LENGTH = 65536;

/** Return the state that a validation report leads to. */
export function verdictOf(report: ValidationReport): Verdict {
  if (!report.valid) return { state: "invalid", report };
  return { state: report.warnings?.length ? "warnings" : "valid", report };
}

/** Return the state for a validation that failed with `error`: the service's message and the result of a local check. */
export function verdictWithoutReport(fen: string, error: unknown): Verdict {
  const reason = error instanceof ApiError && error.status ? error.message.replace(/\.$/, "") : null;
  return { state: "unavailable", problem: checkLocally(fen), reason };
}

/** Check a text without the service. Return why it cannot be a position, or null. */
function checkLocally(fen: string): string | null {
  if (!fen.trim()) return "The text is empty.";
  if (fen.length > MAX_LENGTH) return "The text is too long.";
  if (/[\u0000-\u001f\u007f]/.test(fen.trim())) return "The text contains control characters.";
  return null;
}

const INVALID = "Invalid FEN";

/** Return the headline for an invalid text: the report's own error if it begins with "Invalid FEN", else "Invalid FEN". */
export function headlineOf(report: ValidationReport): string {
  return report.error?.startsWith(INVALID) ? report.error : INVALID;
}

/** Return the errors of a report. A report with only an error message counts as one error. */
export function errorsOf(report: ValidationReport): readonly Issue[] {
  if (report.errors?.length) return report.errors;
  return report.error ? [{ code: "", message: report.error }] : [];
}

/** Return the errors to list below the headline: all except the one that the headline repeats. */
export function errorsBelowHeadline(report: ValidationReport): readonly Issue[] {
  const headline = headlineOf(report);
  return errorsOf(report).filter(({ message }) => message !== headline);
}

/** Summarize the report of an invalid text in one line. */
export function summaryOf(report: ValidationReport): string {
  const headline = headlineOf(report);
  if (headline !== INVALID) return headline;
  const firstError = errorsOf(report)[0];
  return `${INVALID}: ${firstError ? lineOf(firstError) : "no reason given"}`;
}

/** Format a finding as "component: message". */
export function lineOf(issue: Issue): string {
  const component = issue.component ?? null;
  return component === null || component === "" ? issue.message : `${component}: ${issue.message}`;
}
