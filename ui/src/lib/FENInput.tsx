import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { errorMessage } from "../api/transport";
import { EXAMPLES } from "./examples";
import { useSurroundings, type Surroundings } from "./ForsythProvider";
import type { About } from "./service";
import { errorsBelowHeadline, headlineOf, lineOf, verdictOf, verdictWithoutReport, type Load, type Validate, type Verdict } from "./state";

/** A text that the visitor can load with one click. */
export interface Example {
  name: string;
  fen: string;
  description?: string;
}

/** `game` is the game of the texts. Default: Azul. With null, the service detects it. */
export interface FENInputProps extends About, Surroundings {
  /** Called with the trimmed, validated text. If it returns a promise, the component shows "Loading…" until it settles. */
  onLoad?: (fen: string) => unknown;
  /** Default: three Azul positions if the game is Azul, else none. */
  examples?: readonly (Example | string)[];
  initialValue?: string;
  placeholder?: string;
  className?: string;
  disabled?: boolean;
  /** Validates a text. Default: the service. */
  validate?: Validate;
  /** Returns the game state that `onFENLoad` receives. Default: the service. */
  load?: Load;
  /** Older alternative to `onLoad`: receives the game state instead of the text. */
  onFENLoad?: (gameState: unknown) => unknown;
}

/** The default game: these components were specified for Azul. */
export const DEFAULT_GAME = "azul";
/** Pause in typing after which the text is validated, in milliseconds. */
const VALIDATION_DELAY = 250;
const NO_EXAMPLES: readonly Example[] = [];

type Loading = { state: "" | "loading" | "loaded" } | { state: "failed"; message: string };

const IDLE: Loading = { state: "" };

/** A text field that validates while the visitor types, with the buttons Load and Clear and example texts. */
export function FENInput(props: FENInputProps) {
  const { game = DEFAULT_GAME, variant, disabled = false } = props;
  const examples = props.examples ?? (game === DEFAULT_GAME ? EXAMPLES : NO_EXAMPLES);
  const { service, baseUrl, place, theme } = useSurroundings<HTMLDivElement>(props);
  const load = props.load ?? ((text: string) => service.load(text, { game, variant }));
  const [text, setText] = useState(props.initialValue ?? "");
  const [verdict, setVerdict] = useState<Verdict>({ state: "empty" });
  const [loading, setLoading] = useState<Loading>(IDLE);
  const [validateNow, setValidateNow] = useState(Boolean(props.initialValue));
  const field = useRef<HTMLTextAreaElement>(null);
  const isMounted = useRef(true);
  const id = useId();
  const fen = text.trim();

  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);

  const currentValidate = useRef<Validate>(undefined);
  currentValidate.current = props.validate ?? ((text, signal) => service.validate(text, { game, variant }, signal));
  useEffect(() => {
    if (!fen) {
      setVerdict({ state: "empty" });
      return;
    }
    const controller = new AbortController();
    const settle = (next: Verdict) => !controller.signal.aborted && setVerdict(next);
    const validate = () => {
      setVerdict({ state: "validating" });
      currentValidate.current?.(fen, controller.signal).then(
        (report) => settle(verdictOf(report)),
        (error: unknown) => settle(verdictWithoutReport(fen, error)),
      );
    };
    if (validateNow) {
      validate();
      return () => controller.abort();
    }
    setVerdict({ state: "typing" });
    const timer = setTimeout(validate, VALIDATION_DELAY);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [fen, validateNow, game, variant, baseUrl]);

  const change = (next: string, immediately = false) => {
    setValidateNow(immediately);
    setText(next);
    setLoading(IDLE);
  };

  const isAcceptable =
    verdict.state === "valid" || verdict.state === "warnings" || (verdict.state === "unavailable" && !verdict.problem);
  const canLoad = isAcceptable && !disabled && loading.state !== "loading";

  const submit = async () => {
    if (!canLoad) return;
    setLoading({ state: "loading" });
    try {
      if (props.onFENLoad || props.load) {
        const state = await load(fen);
        await props.onFENLoad?.(state);
      }
      await props.onLoad?.(fen);
      if (isMounted.current) setLoading({ state: "loaded" });
    } catch (error) {
      if (isMounted.current) setLoading({ state: "failed", message: errorMessage(error) });
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
  const issues = !report ? [] : verdict.state === "invalid" ? errorsBelowHeadline(report) : verdict.state === "warnings" ? report.warnings : [];
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
        <button type="button" className="fen-button fen-primary" disabled={!canLoad} onClick={submit}>
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
            const { name, fen: exampleFen, description } = typeof example === "string" ? { name: example, fen: example } as Example : example;
            return (
              <li key={`${name} ${exampleFen}`}>
                <button type="button" className="fen-chip" title={description} disabled={disabled} onClick={() => change(exampleFen, true)}>
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
