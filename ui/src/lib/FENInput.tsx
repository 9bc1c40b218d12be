import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { sentence } from "../api/transport";
import { EXAMPLES } from "./examples";
import { useSurroundings, type Surroundings } from "./ForsythProvider";
import type { About } from "./service";
import { belowHeadline, headlineOf, lineOf, verdictOf, withoutReport, type Load, type Validate, type Verdict } from "./state";

export interface Example {
  name: string;
  fen: string;
  description?: string;
}

/** The texts are of `game`, Azul if it is left out; with `null` the service tells the game from each text. */
export interface FENInputProps extends About, Surroundings {
  /** Called once with the trimmed, validated text. A promise keeps the input loading until it settles. */
  onLoad?: (fen: string) => unknown;
  /** Without it three Azul positions where the game is Azul, else none. */
  examples?: readonly (Example | string)[];
  initialValue?: string;
  placeholder?: string;
  className?: string;
  disabled?: boolean;
  validate?: Validate;
  /** Turns the text into the game state that `onFENLoad` receives. */
  load?: Load;
  /** An older name: receives the game state in place of the text. */
  onFENLoad?: (gameState: unknown) => unknown;
}

/** The game of the document that these components are from. */
export const USUAL_GAME = "azul";
const DEBOUNCE = 250;
const NONE: readonly Example[] = [];

type Loading = { state: "" | "loading" | "loaded" } | { state: "failed"; message: string };

const IDLE: Loading = { state: "" };

export function FENInput(props: FENInputProps) {
  const { game = USUAL_GAME, variant, disabled = false } = props;
  const examples = props.examples ?? (game === USUAL_GAME ? EXAMPLES : NONE);
  const { service, baseUrl, place, theme } = useSurroundings<HTMLDivElement>(props);
  const load = props.load ?? ((text: string) => service.load(text, { game, variant }));
  const [text, setText] = useState(props.initialValue ?? "");
  const [verdict, setVerdict] = useState<Verdict>({ state: "empty" });
  const [loading, setLoading] = useState<Loading>(IDLE);
  const [hurry, setHurry] = useState(Boolean(props.initialValue));
  const field = useRef<HTMLTextAreaElement>(null);
  const alive = useRef(true);
  const id = useId();
  const fen = text.trim();

  useEffect(() => {
    alive.current = true;
    return () => void (alive.current = false);
  }, []);

  const check = useRef<Validate>(undefined);
  check.current = props.validate ?? ((text, signal) => service.validate(text, { game, variant }, signal));
  useEffect(() => {
    if (!fen) {
      setVerdict({ state: "empty" });
      return;
    }
    const control = new AbortController();
    const settle = (next: Verdict) => !control.signal.aborted && setVerdict(next);
    const ask = () => {
      setVerdict({ state: "validating" });
      check.current?.(fen, control.signal).then(
        (report) => settle(verdictOf(report)),
        (error: unknown) => settle(withoutReport(fen, error)),
      );
    };
    if (hurry) {
      ask();
      return () => control.abort();
    }
    setVerdict({ state: "typing" });
    const timer = setTimeout(ask, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [fen, hurry, game, variant, baseUrl]);

  const change = (next: string, now = false) => {
    setHurry(now);
    setText(next);
    setLoading(IDLE);
  };

  const passed =
    verdict.state === "valid" || verdict.state === "warnings" || (verdict.state === "unavailable" && !verdict.problem);
  const loadable = passed && !disabled && loading.state !== "loading";

  const submit = async () => {
    if (!loadable) return;
    setLoading({ state: "loading" });
    try {
      if (props.onFENLoad || props.load) {
        const state = await load(fen);
        await props.onFENLoad?.(state);
      }
      await props.onLoad?.(fen);
      if (alive.current) setLoading({ state: "loaded" });
    } catch (error) {
      if (alive.current) setLoading({ state: "failed", message: sentence(error) });
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData("text");
    const trimmed = pasted.trim();
    if (trimmed === pasted) return;
    event.preventDefault();
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    change(value.slice(0, selectionStart) + trimmed + value.slice(selectionEnd));
  };

  const report = "report" in verdict ? verdict.report : null;
  const issues = !report ? [] : verdict.state === "invalid" ? belowHeadline(report) : verdict.state === "warnings" ? report.warnings : [];
  const state = loading.state || verdict.state;

  return (
    <div
      ref={place}
      className={["forsyth fen fen-input", props.className].filter(Boolean).join(" ")}
      data-state={state}
      data-theme={theme ?? undefined}
    >
      <label htmlFor={id}>FEN</label>
      <textarea
        id={id}
        ref={field}
        className="fen-field"
        rows={4}
        spellCheck={false}
        value={text}
        disabled={disabled}
        placeholder={props.placeholder ?? "Paste a FEN"}
        aria-invalid={verdict.state === "invalid" || (verdict.state === "unavailable" && verdict.problem !== null)}
        aria-describedby={`${id}-verdict`}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div id={`${id}-verdict`} className={`fen-verdict ${verdict.state}`} aria-live="polite">
        {verdict.state === "typing" && "Typing…"}
        {verdict.state === "validating" && "Validating…"}
        {verdict.state === "valid" && "Valid FEN"}
        {verdict.state === "warnings" && "Valid FEN, with warnings"}
        {verdict.state === "invalid" && <span>{headlineOf(verdict.report)}</span>}
        {verdict.state === "unavailable" &&
          [
            verdict.reason ? `Validation unavailable: ${verdict.reason}.` : "Validation unavailable.",
            verdict.problem ?? "Only the format was checked here. You can still load the text.",
          ].join(" ")}
        {issues.length > 0 && (
          <ul className={`fen-list ${verdict.state}`}>
            {issues.map((issue, index) => (
              <li key={index}>{lineOf(issue)}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="fen-buttons">
        <button type="button" className="fen-button fen-primary" disabled={!loadable} onClick={submit}>
          {loading.state === "loading" ? "Loading…" : "Load"}
        </button>
        <button
          type="button"
          className="fen-button"
          disabled={disabled || !text}
          onClick={() => {
            change("");
            field.current?.focus();
          }}
        >
          Clear
        </button>
        <span className="fen-loaded" aria-live="polite">
          {loading.state === "loaded" && "Loaded"}
          {loading.state === "failed" && <span className="fen-refused">Load failed: {loading.message}</span>}
        </span>
      </div>
      {examples.length > 0 && (
        <ul className="fen-chips" aria-label="Examples">
          {examples.map((example) => {
            const { name, fen: content, description } = typeof example === "string" ? { name: example, fen: example } as Example : example;
            return (
              <li key={`${name} ${content}`}>
                <button type="button" className="fen-chip" title={description} disabled={disabled} onClick={() => change(content, true)}>
                  {name}
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
