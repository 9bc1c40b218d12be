import type { Diagnostic } from "../api/types";
import { describeFix } from "./spans";

interface Props {
  text: string;
  diagnostics: readonly Diagnostic[];
  highlighted: number | null;
  onHighlight: (finding: number | null) => void;
  onFix?: (finding: Diagnostic) => void;
}

/** A list of findings: message, code, square and, if available, a button *Fix*. */
export function Findings({ text, diagnostics, highlighted, onHighlight, onFix }: Props) {
  return (
    <ol className="findings">
      {diagnostics.map((finding, index) => (
        <li
          key={`${finding.code}-${finding.span.join("-")}-${index}`}
          className={`finding ${finding.severity}${highlighted === index ? " lit" : ""}`}
          onMouseEnter={() => onHighlight(index)}
          onMouseLeave={() => onHighlight(null)}
        >
          <button
            type="button"
            className="finding-words"
            onFocus={() => onHighlight(index)}
            onBlur={() => onHighlight(null)}
            onClick={() => onHighlight(index)}
          >
            <span className="sr-only">{finding.severity}: </span>
            <span className="finding-message">{finding.message}</span>
            <span className="finding-place">
              <code>{finding.code}</code>
              {finding.square && <span> · {finding.square}</span>}
            </span>
            {finding.inside && <InnerFindings text={finding.unwrapped ?? ""} diagnostics={finding.inside} />}
          </button>
          {finding.fix && onFix && (
            <button
              type="button"
              className="quiet fix"
              title={describeFix(text, finding.fix)}
              aria-label={`Fix: ${describeFix(text, finding.fix)}`}
              onClick={() => onFix(finding)}
              onFocus={() => onHighlight(index)}
              onBlur={() => onHighlight(null)}
            >
              Fix
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The findings of an encoded text's content. Its characters are quoted because they are not visible in the text. */
function InnerFindings({ text, diagnostics }: { text: string; diagnostics: readonly Diagnostic[] }) {
  const characters = Array.from(text);
  return (
    <span className="finding-inside">
      {diagnostics.map((finding, index) => (
        <span key={`${finding.code}-${finding.span.join("-")}-${index}`} className="finding-inner">
          <span className="sr-only">inside, {finding.severity}: </span>
          <span className="finding-message">{finding.message}</span>
          <span className="finding-place">
            <code>{finding.code}</code>
            {finding.span[1] > finding.span[0] && (
              <span>
                {" "}
                · <code>{characters.slice(...finding.span).join("")}</code>
              </span>
            )}
          </span>
        </span>
      ))}
    </span>
  );
}

/** Count errors and warnings, as in "1 error, 2 warnings". Return "" if there are none. */
export function countFindings(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const countWord = (count: number, word: string) => (count ? [`${count} ${word}${count === 1 ? "" : "s"}`] : []);
  return [...countWord(errors, "error"), ...countWord(warnings, "warning")].join(", ");
}
