import { useEffect, useId, useRef, useState } from "react";
import { toClipboard } from "../shell/parts";
import { Details } from "./Details";
import { useSurroundings, type Surroundings } from "./ForsythProvider";
import type { About } from "./service";
import {
  errorsOf,
  lineOf,
  summaryOf,
  verdictOf,
  withoutReport,
  type Load,
  type Validate,
  type ValidationReport,
  type Verdict,
} from "./state";

/** Without a `game` the service tells it from the text. */
export interface FENDisplayProps extends About, Surroundings {
  fenString?: string | null;
  /** Called by the Copy button; without it the text goes to the clipboard. */
  onCopy?: () => unknown;
  showDetails?: boolean;
  /** A result from elsewhere; without it the text is validated here. */
  validation?: ValidationReport | null;
  validate?: Validate;
  /** Gives the game state that the details show; asked for when they are opened. */
  load?: Load;
  className?: string;
  label?: string;
  /** An older name for where the text is. */
  gameState?: ({ fen_string?: string | null } & Record<string, unknown>) | null;
}

const LONG = 100;
const NOTE_TIME = 2000;

export function FENDisplay(props: FENDisplayProps) {
  const { onCopy, showDetails = false, validation = null, label = "FEN", game, variant } = props;
  const { service, baseUrl, place, theme } = useSurroundings<HTMLDivElement>(props);
  const fen = props.fenString ?? props.gameState?.fen_string ?? "";
  const [computed, setComputed] = useState<{ fen: string; verdict: Verdict } | null>(null);
  const [note, setNote] = useState<"" | "Copied" | "Copy failed">("");
  const [open, setOpen] = useState(false);
  const [listed, setListed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();

  useEffect(() => () => clearTimeout(timer.current), []);

  const check = useRef<Validate>(undefined);
  check.current = props.validate ?? ((text, signal) => service.validate(text, { game, variant }, signal));
  useEffect(() => {
    setOpen(false);
    setListed(false);
    setNote("");
    if (!fen || validation) return;
    const control = new AbortController();
    const settle = (verdict: Verdict) => !control.signal.aborted && setComputed({ fen, verdict });
    setComputed({ fen, verdict: { state: "validating" } });
    check.current?.(fen, control.signal).then(
      (report) => settle(verdictOf(report)),
      (error: unknown) => settle(withoutReport(fen, error)),
    );
    return () => control.abort();
  }, [fen, validation, game, variant, baseUrl]);

  const verdict: Verdict = !fen
    ? { state: "empty" }
    : validation
      ? verdictOf(validation)
      : computed?.fen === fen
        ? computed.verdict
        : { state: "validating" };

  const copy = async () => {
    const say = (next: "Copied" | "Copy failed") => {
      setNote(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setNote(""), NOTE_TIME);
    };
    try {
      await (onCopy ? onCopy() : toClipboard(fen));
      say("Copied");
    } catch {
      say("Copy failed");
    }
  };

  const long = fen.length > LONG;
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
        <button type="button" className="fen-button fen-copy" disabled={!fen} onClick={copy}>
          <span aria-live="polite">{note || "Copy"}</span>
        </button>
      </header>
      {fen ? (
        <code className={`fen-text${long && !open ? " short" : ""}`} data-testid="fen-text">
          {fen}
        </code>
      ) : (
        <p className="fen-none">No FEN available</p>
      )}
      {long && (
        <button type="button" className="fen-link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : "Show more"}
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
          <button type="button" className="fen-link" aria-expanded={listed} onClick={() => setListed(!listed)}>
            {listed ? "Hide errors" : `Show all ${errors.length} errors`}
          </button>
          {listed && (
            <ul className="fen-list invalid">
              {errors.map((issue, index) => (
                <li key={index}>{lineOf(issue)}</li>
              ))}
            </ul>
          )}
        </>
      )}
      {showDetails && fen && (
        <Breakdown
          key={fen}
          fen={fen}
          known={stateOf(props.gameState)}
          summary={report?.details}
          load={props.load ?? ((text) => service.load(text, { game, variant }))}
        />
      )}
    </div>
  );
}

/** The older prop carries more than the text when it is a whole game state. */
function stateOf(gameState: FENDisplayProps["gameState"]): unknown {
  return gameState && Object.keys(gameState).length > 1 ? gameState : null;
}

function Breakdown({ fen, known, summary, load }: { fen: string; known: unknown; summary: unknown; load: Load }) {
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
