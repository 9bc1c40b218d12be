import { useEffect, useMemo, useRef, useState } from "react";
import { api, errorMessage } from "../api/client";
import { useBeforePaint } from "../beforePaint";
import { Board } from "../board/Board";
import { isSameGroup } from "../board/geometry";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, readStored, writeStored, TYPING_DELAY, useLatestAnswer } from "../shell/hooks";
import { FileButton } from "../shell/FileButton";
import { Fold } from "../shell/Fold";
import { CopyButton, EmptyDrawing, Link, Notice, Section } from "../shell/parts";
import { drawingChoices, useSettings } from "../shell/settings";
import { countFindings, Findings } from "../text/Findings";
import { MarkedText } from "../text/MarkedText";
import { applyFix, applyFixes, notesOf, squaresOf } from "../text/spans";
import { useTextHistory } from "../text/useTextHistory";
import { GameSelect, VariantSelect } from "./choices";
import { compareQuery, positionQuery } from "./queries";
import { PlayedHere } from "./PlayedHere";
import { SaveForm } from "./SaveForm";
import { Share } from "./Share";
import { Examples } from "./workbench/Examples";
import { Forms } from "./workbench/Forms";
import { usePasteAndDrop } from "./workbench/usePasteAndDrop";
import { useReading, type Reading } from "./workbench/useReading";

const GAME_KEY = "forsyth.game";

/** Return the text of a link such as `/p/<text>`, or null for another path. */
export function textFromPath(path: string): string | null {
  if (!path.startsWith("/p/")) return null;
  const part = path.slice(3);
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The view *Workbench*: read, check, repair and draw one text. */
export function Workbench({ games, index, theme, path, query }: ViewProps) {
  const announce = useAnnounce();
  const settings = useSettings();
  const linkedText = textFromPath(path) ?? query.get("text");
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, set: setText, reset } = useTextHistory(linkedText ?? startText(games), field);
  const [game, setGame] = useState(query.get("game") ?? "");
  const [variant, setVariant] = useState(query.get("variant") ?? "");
  const [flip, setFlip] = useState(false);
  const [delay, setDelay] = useState(0);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const [highlightedCell, setHighlightedCell] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);

  const trimmedText = text.trim();
  const lastGame = useRef<string | null>(null);
  const look = { theme, flip, ...drawingChoices(settings, game || lastGame.current) };
  const reading = useReading(trimmedText, { game, variant }, look, games, delay);
  const { answer, diagnostics, state, hint, shownDrawing: drawing } = reading;
  lastGame.current = reading.game;
  const info = games.find(({ name }) => name === reading.game) ?? null;

  const formsKey = answer?.position ? JSON.stringify([answer.text, hint]) : null;
  const forms = useLatestAnswer(formsKey, async (signal) => ({ formsKey, ...(await api.forms(answer!.text, hint, signal)) }));
  const formTexts = formsKey && forms.data?.formsKey === formsKey ? forms.data.forms : null;

  // A link contains the text in encoded form. Show the plain form.
  const plainText = formTexts?.plain ?? null;
  useEffect(() => {
    if (plainText && answer?.form !== "plain" && linkedText !== null && text === linkedText) reset(plainText);
  }, [answer, plainText, reset, linkedText, text]);

  useEffect(() => {
    if (answer?.game) writeStored(GAME_KEY, answer.game);
  }, [answer]);

  const linkPath = formTexts?.link ?? null;
  // Before paint: a later effect could run after a click on a link and overwrite the address of the next view.
  useBeforePaint(() => {
    if (!answer) return;
    const chosenQuery = game || variant ? positionQuery("", game, variant) : "";
    if (trimmedText === startText(games) && !chosenQuery && !textFromPath(location.pathname)) return;
    if (!answer.position || !answer.ok) navigate(`/p/${encodeURIComponent(trimmedText)}${chosenQuery}`, true);
    else if (linkPath) navigate(linkPath + chosenQuery, true);
  }, [answer, game, games, trimmedText, linkPath, variant]);

  useEffect(() => {
    if (!answer) return;
    const count = countFindings(answer.diagnostics);
    announce(count ? `${count}. ${answer.diagnostics[0]?.message ?? ""}` : "No findings.");
  }, [announce, answer]);

  const changeText = (newText: string, newDelay = 0) => {
    setDelay(newDelay);
    setText(newText, newDelay > 0);
    setHighlighted(null);
  };

  const input = usePasteAndDrop(changeText);

  const [repair, setRepair] = useState<Repair | null>(null);
  const latest = useRef(text);
  latest.current = text;
  const fixAll = async () => {
    const before = { text, count: diagnostics.length };
    try {
      const { fixed } = await api.fix(trimmedText, hint);
      if (latest.current !== before.text) return;
      const next = fixed ?? applyFixes(text, diagnostics);
      changeText(next);
      setRepair({ text: next.trim(), countBefore: before.count, error: "" });
    } catch (error) {
      if (latest.current === before.text) setRepair({ text: trimmedText, countBefore: before.count, error: errorMessage(error) });
    }
  };
  const playMove = async (move: string) => {
    const before = { text, count: diagnostics.length };
    try {
      const { after } = await api.play(trimmedText, hint, move);
      if (latest.current === before.text) changeText(after);
    } catch (error) {
      if (latest.current === before.text) setRepair({ text: trimmedText, countBefore: before.count, error: errorMessage(error) });
    }
  };

  const highlightedFinding = highlighted !== null ? diagnostics[highlighted] : undefined;
  const highlightedSquares = useMemo(() => new Set(highlightedFinding?.square ? [highlightedFinding.square] : []), [highlightedFinding]);
  const errorSquares = useMemo(() => squaresOf(diagnostics, "error"), [diagnostics]);
  const warningSquares = useMemo(() => squaresOf(diagnostics, "warning"), [diagnostics]);
  const checked = useMemo(() => new Set(answer?.position?.checked), [answer]);
  const notes = useMemo(() => notesOf(diagnostics), [diagnostics]);
  const highlightCell = (cell: string | null) => {
    if (cell === highlightedCell) return;
    setHighlightedCell(cell);
    const findingIndex = cell ? diagnostics.findIndex(({ square }) => square && (square === cell || isSameGroup(square, cell))) : -1;
    setHighlighted(findingIndex >= 0 ? findingIndex : null);
  };

  const verdict = verdictOf(reading);
  const fixableCount = diagnostics.filter(({ fix }) => fix).length;
  const title = info?.title;
  const onwardQuery = positionQuery(answer?.position?.canonical ?? trimmedText, answer?.game ?? game, variant);
  const showsOtherText = state === "failed" || (reading.isUndrawable && !reading.isDrawing && drawing?.kind !== "part");

  return (
    <div className={`bench workbench${input.isDraggedOver ? " over" : ""}`} {...input.dropArea}>
      <h1 className="sr-only">Workbench</h1>
      <div className="stage">
        <Board
          drawing={drawing?.position ?? null}
          label={drawing?.position.title ?? "Board"}
          description={state === "read" ? (drawing?.position.description ?? "") : ""}
          highlighted={highlightedSquares}
          errors={errorSquares}
          warnings={warningSquares}
          notes={notes}
          checked={checked}
          stale={!trimmedText || showsOtherText}
          outdated={state === "reading" || reading.isDrawing}
          coordinates={settings.coordinates}
          animated={settings.animation}
          onHover={highlightCell}
        >
          <BoardNote reading={reading} />
        </Board>
      </div>

      <aside className="notes">
        <div className="strip">
          <div className="strip-head">
            <span className={`verdict ${verdict.kind}`} data-testid="verdict">
              {verdict.words}
            </span>
            <label className="inline-select">
              <span className="sr-only">Game</span>
              <GameSelect
                games={games}
                value={game}
                onChange={(next) => {
                  setDelay(0);
                  setGame(next);
                  setVariant("");
                }}
              >
                <option value="">{trimmedText && title && !game && state !== "failed" ? `${title} (detected)` : "Detect the game"}</option>
              </GameSelect>
            </label>
            {trimmedText && info && info.variants.length > 1 && (
              <label className="inline-select">
                <span className="sr-only">Variant</span>
                <VariantSelect info={info} value={variant} onChange={(next) => (setDelay(0), setVariant(next))} anyLabel="Any variant" />
              </label>
            )}
          </div>
          <MarkedText
            ref={field}
            text={text}
            diagnostics={diagnostics}
            highlighted={highlighted}
            onHighlight={setHighlighted}
            onChange={(next) => changeText(next, TYPING_DELAY)}
            onPaste={input.onPaste}
            label="Position text"
            invalid={verdict.kind === "error"}
            placeholder="Paste a position, a record, a link or many lines, or drop a file"
            onEnter={() => setDelay(0)}
          />
          <div className="strip-head">
            <button type="button" className="quiet" onClick={() => setFlip(!flip)} aria-pressed={flip}>
              Flip
            </button>
            <button
              type="button"
              className="quiet"
              disabled={!text}
              onClick={() => {
                changeText("");
                setGame("");
                setVariant("");
                navigate("/", true);
                field.current?.focus();
              }}
            >
              Clear
            </button>
            <CopyButton text={trimmedText} name="text" />
            <FileButton label="Open a file" onFile={input.openFile} />
          </div>
          {input.problem && (
            <p className="refused" role="alert">
              {input.problem}
            </p>
          )}
          <p className="onward">
            <Link href={`/play${onwardQuery}`} disabled={!answer?.ok}>
              Play from here
            </Link>
            <Link href={`/edit${onwardQuery}`}>Edit</Link>
            <Link href={`/compare${compareQuery(trimmedText, hint)}`}>Compare</Link>
            <button type="button" className="link" disabled={!answer?.position} onClick={() => setIsSaving(true)}>
              Save
            </button>
            <Share text={answer?.position ? trimmedText : ""} hint={hint} theme={theme} flip={flip} />
          </p>
          {isSaving && (
            <SaveForm text={trimmedText} hint={hint} isReady={Boolean(answer?.position)} onDone={() => setIsSaving(false)} suggestion={title ?? ""} />
          )}
        </div>
        {state === "failed" || reading.error ? <Notice onRetry={reading.retry}>{errorMessage(reading.error)}</Notice> : null}
        <Section
          title="Findings"
          aside={
            fixableCount > 0 && (
              <button type="button" className="quiet" onClick={fixAll}>
                Fix all
              </button>
            )
          }
        >
          <div className="findings-room">
            {diagnostics.length ? (
              <Findings
                text={trimmedText}
                diagnostics={diagnostics}
                highlighted={highlighted}
                onHighlight={setHighlighted}
                onFix={(finding) => finding.fix && changeText(applyFix(text, finding.fix))}
              />
            ) : (
              <p className="muted">{answer?.ok ? "Nothing to correct." : trimmedText ? "\u00a0" : "Type or paste a text to check it."}</p>
            )}
            <RepairMessage repair={repair} currentText={trimmedText} remaining={answer ? diagnostics.length : null} />
            {reading.isUndrawable && drawing?.kind === "part" && (
              <p className="muted small below">The board shows the readable part of the text. Hatched squares could not be read.</p>
            )}
          </div>
        </Section>

        <PlayedHere
          index={index}
          game={answer?.ok ? answer.game : null}
          text={answer?.ok ? answer.canonical : null}
          onPlay={playMove}
        />

        <Fold title="Forms">
          <Forms forms={formTexts} text={trimmedText} />
        </Fold>

        <Section title="Examples">
          <Examples
            games={games}
            text={trimmedText}
            onChoose={(example) => {
              setGame("");
              setVariant("");
              changeText(example);
            }}
          />
        </Section>
      </aside>
    </div>
  );
}

/** Return the starting position of the last game used, else of the first game. */
function startText(games: ViewProps["games"]): string {
  const lastGameName = readStored(GAME_KEY);
  return (games.find(({ name }) => name === lastGameName) ?? games[0])?.start ?? "";
}

/** Return the verdict on the current text and its CSS class. */
function verdictOf({ state, diagnostics }: Reading): { kind: "none" | "ok" | "warning" | "error"; words: string } {
  if (state === "empty") return { kind: "none", words: "No text yet" };
  if (state === "reading") return { kind: "none", words: "Reading…" };
  if (state === "failed") return { kind: "none", words: "Not checked" };
  const count = countFindings(diagnostics);
  if (diagnostics.some(({ severity }) => severity === "error")) return { kind: "error", words: count };
  return count ? { kind: "warning", words: `Valid, ${count}` } : { kind: "ok", words: "Valid" };
}

/** The message on the board that explains why the text has no drawing. */
function BoardNote({ reading: { state, isUndrawable, isDrawing, shownDrawing: shown } }: { reading: Reading }) {
  const note =
    state === "empty"
      ? "Paste a position, or pick an example."
      : state === "failed"
        ? "This text could not be checked."
        : isUndrawable && !isDrawing && shown?.kind !== "part"
          ? "This text cannot be drawn."
          : null;
  if (note === null) return null;
  return (
    <div className="forsyth-note">
      {!shown && <EmptyDrawing />}
      <p>{note}</p>
    </div>
  );
}

/** The result of *Fix all*: the new text, the number of findings before, and the error if it failed. */
interface Repair {
  text: string;
  countBefore: number;
  error: string;
}

/** The message about the last repair. It disappears when the text changes. */
function RepairMessage({ repair, currentText, remaining }: { repair: Repair | null; currentText: string; remaining: number | null }) {
  if (!repair || repair.text !== currentText) return null;
  if (repair.error) return <p className="refused">{repair.error}</p>;
  if (remaining === null) return null;
  const message = remaining
    ? `Fixed where possible: ${remaining} of ${repair.countBefore} ${repair.countBefore === 1 ? "finding" : "findings"} left.`
    : `All fixed: ${repair.countBefore} ${repair.countBefore === 1 ? "finding" : "findings"}.`;
  return (
    <p className="muted small below" role="status">
      {message}
    </p>
  );
}
