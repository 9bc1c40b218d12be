import type { Diagnostic } from "../api/types";
import { describeFix } from "./spans";

interface Props {
  text: string;
  diagnostics: readonly Diagnostic[];
  lit: number | null;
  onLight: (finding: number | null) => void;
  onFix?: (finding: Diagnostic) => void;
}

/** Each finding with its sentence, its code and, where there is one, its fix. */
export function Findings({ text, diagnostics, lit, onLight, onFix }: Props) {
  return (
    <ol className="findings">
      {diagnostics.map((finding, index) => (
        <li
          key={`${finding.code}-${finding.span.join("-")}-${index}`}
          className={`finding ${finding.severity}${lit === index ? " lit" : ""}`}
          onMouseEnter={() => onLight(index)}
          onMouseLeave={() => onLight(null)}
        >
          <button
            type="button"
            className="finding-words"
            onFocus={() => onLight(index)}
            onBlur={() => onLight(null)}
            onClick={() => onLight(index)}
          >
            <span className="sr-only">{finding.severity}: </span>
            <span className="finding-message">{finding.message}</span>
            <span className="finding-place">
              <code>{finding.code}</code>
              {finding.square && <span> · {finding.square}</span>}
            </span>
            {finding.inside && <Inside text={finding.unwrapped ?? ""} diagnostics={finding.inside} />}
          </button>
          {finding.fix && onFix && (
            <button
              type="button"
              className="quiet fix"
              title={describeFix(text, finding.fix)}
              aria-label={`Fix: ${describeFix(text, finding.fix)}`}
              onClick={() => onFix(finding)}
              onFocus={() => onLight(index)}
              onBlur={() => onLight(null)}
            >
              Fix
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What is wrong with the text inside a wrapped one: it cannot be pointed at, so its characters are shown. */
function Inside({ text, diagnostics }: { text: string; diagnostics: readonly Diagnostic[] }) {
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

export function countFindings(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const say = (count: number, word: string) => (count ? [`${count} ${word}${count === 1 ? "" : "s"}`] : []);
  return [...say(errors, "error"), ...say(warnings, "warning")].join(", ");
}
