import { useEffect, useId, useRef, useState } from "react";
import { copyToClipboard } from "../shell/parts";
import { Details } from "./Details";
import { useSurroundings, type Surroundings } from "./ForsythProvider";
import type { About } from "./service";
import {
  errorsOf,
  lineOf,
  summaryOf,
  verdictOf,
  verdictWithoutReport,
  type Load,
  type Validate,
  type ValidationReport,
  type Verdict,
} from "./state";

/** If `game` is left out, the service detects it. */
export interface FENDisplayProps extends About, Surroundings {
  fenString?: string | null;
  /** Called by the Copy button. Default: copy the text to the clipboard. */
  onCopy?: () => unknown;
  showDetails?: boolean;
  /** The validation report to show. Default: the component validates the text itself. */
  validation?: ValidationReport | null;
  /** Validates a text. Default: the service. */
  validate?: Validate;
  /** Returns the game state that the details show. Called when the details are opened. Default: the service. */
  load?: Load;
  className?: string;
  label?: string;
  /** Older alternative to `fenString`: the text is `gameState.fen_string`. */
  gameState?: ({ fen_string?: string | null } & Record<string, unknown>) | null;
}

const MAX_SHORT_LENGTH = 100;
const NOTE_MILLISECONDS = 2000;

/** A text with its validation result, a Copy button and, with `showDetails`, the content of the position. */
export function FENDisplay(props: FENDisplayProps) {
  const { onCopy, showDetails = false, validation = null, label = "FEN", game, variant } = props;
  const { service, baseUrl, place, theme } = useSurroundings<HTMLDivElement>(props);
  const text = props.fenString ?? props.gameState?.fen_string ?? "";
  const [computed, setComputed] = useState<{ fen: string; verdict: Verdict } | null>(null);
  const [note, setNote] = useState<"" | "Copied" | "Copy failed">("");
  const [isOpen, setIsOpen] = useState(false);
  const [areErrorsShown, setErrorsShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();

  useEffect(() => () => clearTimeout(timer.current), []);

  const currentValidate = useRef<Validate>(undefined);
  currentValidate.current = props.validate ?? ((text, signal) => service.validate(text, { game, variant }, signal));
  useEffect(() => {
    setIsOpen(false);
    setErrorsShown(false);
    setNote("");
    if (!text || validation) return;
    const controller = new AbortController();
    const settle = (verdict: Verdict) => !controller.signal.aborted && setComputed({ fen: text, verdict });
    setComputed({ fen: text, verdict: { state: "validating" } });
    currentValidate.current?.(text, controller.signal).then(
      (report) => settle(verdictOf(report)),
      (error: unknown) => settle(verdictWithoutReport(text, error)),
    );
    return () => controller.abort();
  }, [text, validation, game, variant, baseUrl]);

  const verdict: Verdict = !text
    ? { state: "empty" }
    : validation
      ? verdictOf(validation)
      : computed?.fen === text
        ? computed.verdict
        : { state: "validating" };

  const copy = async () => {
    const showNote = (next: "Copied" | "Copy failed") => {
      setNote(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setNote(""), NOTE_MILLISECONDS);
    };
    try {
      await (onCopy ? onCopy() : copyToClipboard(text));
      showNote("Copied");
    } catch {
      showNote("Copy failed");
    }
  };

  const isLong = text.length > MAX_SHORT_LENGTH;
  const report = "report" in verdict ? verdict.report : null;
  const errors = report && verdict.state === "invalid" ? errorsOf(report) : [];
  const warnings = report?.warnings ?? [];

  return (
    <div
      ref={place}
      role="group"
      className={["forsyth fen", props.className].filter(Boolean).join(" ")}
      data-state={verdict.state}
      data-theme={theme ?? undefined}
      aria-labelledby={id}
    >
      <header className="fen-head">
        <h3 id={id}>{label}</h3>
        <button type="button" className="fen-button fen-copy" disabled={!text} onClick={copy}>
          <span aria-live="polite">{note || "Copy"}</span>
        </button>
      </header>
      {text ? (
        <code className={`fen-text${isLong && !isOpen ? " short" : ""}`} data-testid="fen-text">
          {text}
        </code>
      ) : (
        <p className="fen-none">No FEN available</p>
      )}
      {isLong && (
        <button type="button" className="fen-link" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Show less" : "Show more"}
        </button>
      )}
      <div className={`fen-verdict ${verdict.state}`} aria-live="polite">
        {verdict.state === "validating" && "Validating…"}
        {verdict.state === "valid" && "Valid FEN"}
        {verdict.state === "warnings" && "Valid FEN, with warnings"}
        {verdict.state === "invalid" && summaryOf(verdict.report)}
        {verdict.state === "unavailable" && `Validation unavailable${verdict.reason ? `: ${verdict.reason}` : ""}`}
      </div>
      {verdict.state === "warnings" && (
        <ul className="fen-list warnings">
          {warnings.map((issue, index) => (
            <li key={index}>{lineOf(issue)}</li>
          ))}
        </ul>
      )}
      {errors.length > 1 && (
        <>
          <button type="button" className="fen-link" aria-expanded={areErrorsShown} onClick={() => setErrorsShown(!areErrorsShown)}>
            {areErrorsShown ? "Hide errors" : `Show all ${errors.length} errors`}
          </button>
          {areErrorsShown && (
            <ul className="fen-list invalid">
              {errors.map((issue, index) => (
                <li key={index}>{lineOf(issue)}</li>
              ))}
            </ul>
          )}
        </>
      )}
      {showDetails && text && (
        <PositionDetails
          key={text}
          fen={text}
          known={fullGameState(props.gameState)}
          summary={report?.details}
          load={props.load ?? ((text) => service.load(text, { game, variant }))}
        />
      )}
    </div>
  );
}

/** Return `gameState` if it has more than the text, else null. */
function fullGameState(gameState: FENDisplayProps["gameState"]): unknown {
  return gameState && Object.keys(gameState).length > 1 ? gameState : null;
}

/** A section that shows the content of a position. `load` is called when it is opened and `known` is null. */
function PositionDetails({ fen, known, summary, load }: { fen: string; known: unknown; summary: unknown; load: Load }) {
  const [content, setContent] = useState<unknown>(known);
  const [state, setState] = useState<"" | "asked" | "failed">("");
  const open = () => {
    if (content || state) return;
    setState("asked");
    load(fen).then(setContent, () => setState("failed"));
  };
  return (
    <details className="fen-details" onToggle={open}>
      <summary>Details</summary>
      {content || summary ? (
        <Details value={content ?? summary} />
      ) : (
        <p className="fen-muted">{state === "failed" ? "No details available" : "Loading…"}</p>
      )}
    </details>
  );
}
