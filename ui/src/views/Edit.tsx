import { useMemo, useRef, useState } from "react";
import { api, errorMessage } from "../api/client";
import type { Diagnostic, EditAnswer, EditRequest, PaletteEntry } from "../api/types";
import { useBeforePaint } from "../beforePaint";
import { Board } from "../board/Board";
import { occupiedCells } from "../board/cells";
import { isSameGroup } from "../board/geometry";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, readStored, writeStored, TYPING_DELAY, useLatestAnswer } from "../shell/hooks";
import { CopyButton, Link, Notice, Section } from "../shell/parts";
import { drawingChoices, useSettings } from "../shell/settings";
import { countFindings, Findings } from "../text/Findings";
import { MarkedText } from "../text/MarkedText";
import { applyFix, notesOf, squaresOf } from "../text/spans";
import { historyKey, useTextHistory } from "../text/useTextHistory";
import { GameSelect, VariantSelect } from "./choices";
import { Field } from "./edit/Field";
import { Palette } from "./edit/Palette";
import { positionQuery } from "./queries";
import { SaveForm } from "./SaveForm";
import { Share } from "./Share";

/** The tool that a click on the board uses: move pieces, erase them, or place the piece of a palette entry. */
type Tool = { kind: "hand" } | { kind: "erase" } | { kind: "put"; entry: PaletteEntry };
/** A change of the position that the service makes. */
type Change = Partial<Pick<EditRequest, "put" | "move" | "field" | "clear">>;

const HAND: Tool = { kind: "hand" };
const NO_FINDINGS: readonly Diagnostic[] = [];

/** The view *Edit*: a position is changed on the board, in the text, or by its fields. */
export function Edit({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [game, setGame] = useState(() => initialGame(games, query));
  const [variant, setVariant] = useState(query.get("variant") ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  const initialText = query.get("text") ?? games.find(({ name }) => name === game)?.start ?? "";
  const { text, set: setText, undo, redo, reset, canUndo, canRedo } = useTextHistory(initialText, field);
  const settings = useSettings();
  const [delay, setDelay] = useState(0);
  const [flip, setFlip] = useState(false);
  const [tool, setTool] = useState<Tool>(HAND);
  const [heldCell, setHeldCell] = useState<string | null>(null);
  const [rejection, setRejection] = useState("");
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const [isSaving, setIsSaving] = useState(false);

  const trimmedText = text.trim();
  const look = { theme, flip, ...drawingChoices(settings, game) };
  const drawParameters = { ...(game ? { game } : {}), ...(variant ? { variant } : {}), ...look, marks: false };
  const requestKeyOf = (forText: string) => JSON.stringify([forText, game, variant, look]);
  const requestKey = trimmedText ? requestKeyOf(trimmedText) : null;
  const [lastEdit, setLastEdit] = useState<{ requestKey: string; answer: EditAnswer } | null>(null);
  const serviceAnswer = useLatestAnswer(
    lastEdit?.requestKey === requestKey ? null : requestKey,
    async (signal) => {
      try {
        return { requestKey: requestKey!, answer: await api.edit({ text: trimmedText, ...drawParameters }, signal), broken: null };
      } catch (error) {
        if (signal.aborted) throw error;
        const reading = await api.read({ text: trimmedText, ...drawParameters }, signal);
        if (reading.position) throw error;
        return { requestKey: requestKey!, answer: null, broken: reading.diagnostics };
      }
    },
    delay,
  );
  const answer = lastEdit?.requestKey === requestKey ? lastEdit.answer : serviceAnswer.data?.requestKey === requestKey ? serviceAnswer.data.answer : null;
  const brokenDiagnostics = lastEdit?.requestKey !== requestKey && serviceAnswer.data?.requestKey === requestKey ? serviceAnswer.data.broken : null;
  const diagnostics = answer?.diagnostics ?? brokenDiagnostics ?? NO_FINDINGS;

  const lastAnswer = useRef<EditAnswer | null>(null);
  if (answer) lastAnswer.current = answer;
  const shownAnswer = answer ?? (lastAnswer.current?.position.game === game ? lastAnswer.current : null);

  // Before paint: a later effect could run after a click on a link and overwrite the address of the next view.
  useBeforePaint(() => {
    if (game) writeStored("forsyth.game", game);
    if (answer) navigate(`/edit${positionQuery(trimmedText, game, variant)}`, true);
  }, [answer, game, trimmedText, variant]);

  const changeText = (newText: string, newDelay = 0) => {
    setDelay(newDelay);
    setText(newText, newDelay > 0);
    setHighlighted(null);
    setRejection("");
  };

  // Changes run one after another, so that each starts from the result of the previous one.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const latest = useRef(trimmedText);
  latest.current = trimmedText;
  const applyChange = (edit: Change, description: string): Promise<boolean> => {
    const outcome = queue.current.then(async () => {
      try {
        const before = latest.current;
        const next = await api.edit({ text: before, ...drawParameters, ...edit });
        // The text changed while this change was waiting, so this change is dropped.
        if (latest.current !== before) return false;
        latest.current = next.text.trim();
        setLastEdit({ requestKey: requestKeyOf(latest.current), answer: next });
        changeText(next.text);
        const count = countFindings(next.diagnostics);
        announce(`${description}. ${count ? `${count}: ${next.diagnostics[0]?.message ?? ""}` : ""}`);
        return latest.current !== before;
      } catch (error) {
        setRejection(errorMessage(error));
        announce(errorMessage(error));
        return false;
      }
    });
    queue.current = outcome;
    return outcome;
  };

  const origins = useMemo(() => occupiedCells(shownAnswer?.position.scene), [shownAnswer]);

  const placeEntry = (entry: PaletteEntry, cell: string) => applyChange({ put: { square: cell, symbol: entry.symbol } }, `${entry.label} on ${cell}`);
  const erase = (cell: string) => applyChange({ put: { square: cell, symbol: null } }, `${cell} cleared`);
  /** Apply the current tool to a cell. Undefined while the tool is the hand. */
  const applyTool = tool.kind === "put" ? (cell: string) => void placeEntry(tool.entry, cell) : tool.kind === "erase" ? (cell: string) => void erase(cell) : undefined;

  const onPick = (cell: string, _token: unknown, dragging: boolean) => {
    if (dragging) return setHeldCell(cell);
    if (applyTool) return applyTool(cell);
    if (heldCell && heldCell !== cell) {
      void applyChange({ move: { from: heldCell, to: cell } }, `${heldCell} to ${cell}`);
      return setHeldCell(null);
    }
    setHeldCell(heldCell === cell || !origins.has(cell) ? null : cell);
  };

  const onDrop = (from: string, to: string) => {
    setHeldCell(null);
    return applyChange({ move: { from, to } }, `${from} to ${to}`);
  };

  const startWithText = (next: string) => {
    setTool(HAND);
    setHeldCell(null);
    setDelay(0);
    setRejection("");
    reset(next);
  };

  const info = games.find(({ name }) => name === game);

  /** Choose a variant. An unchanged starting position is replaced by that of the variant. Any other text stays. */
  const chooseVariant = async (next: string) => {
    const isLatest = startChoice();
    const isUntouched = !canUndo && startTexts.current.has(trimmedText);
    try {
      const start = isUntouched && info ? (next ? await readNamedPosition("start", next) : info.start) : null;
      if (!isLatest()) return;
      if (start !== null) startWithText(start);
      setDelay(0);
      setVariant(next);
    } catch (error) {
      if (isLatest()) setRejection(errorMessage(error));
    }
  };

  /** Register a choice of the visitor. Return a function that reports whether no later choice or edit was made. */
  const startChoice = () => {
    const choice = (choiceCount.current += 1);
    const before = trimmedText;
    return () => choice === choiceCount.current && latest.current === before;
  };
  const choiceCount = useRef(0);

  /** Return the text of a named position, such as `start`, in a variant. Throw `Error` if there is none. */
  const readNamedPosition = async (name: string, variantName: string): Promise<string> => {
    const reading = await api.read({ text: name, game, variant: variantName });
    if (!reading.canonical) throw new Error(reading.diagnostics[0]?.message ?? `This variant has no position named “${name}”.`);
    if (name === "start") startTexts.current.add(reading.canonical);
    return reading.canonical;
  };
  const startTexts = useRef(new Set(games.map(({ start }) => start)));

  const startWithPosition = async (name: string, text: string) => {
    const isLatest = startChoice();
    try {
      const next = variant ? await readNamedPosition(name, variant) : text;
      if (isLatest()) changeText(next);
    } catch (error) {
      if (isLatest()) setRejection(errorMessage(error));
    }
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    const action = (event.target as Element).closest("input, textarea") ? null : historyKey(event);
    if (!action) return;
    event.preventDefault();
    stepHistory(action === "undo" ? undo : redo);
  };

  const stepHistory = (undoOrRedo: () => void) => {
    setDelay(0);
    setRejection("");
    undoOrRedo();
  };

  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const highlightedFinding = highlighted !== null ? diagnostics[highlighted] : undefined;
  const highlightedSquares = useMemo(() => new Set(highlightedFinding?.square ? [highlightedFinding.square] : []), [highlightedFinding]);
  const highlightCell = (cell: string | null) => {
    const findingIndex = cell ? diagnostics.findIndex(({ square }) => square && (square === cell || isSameGroup(square, cell))) : -1;
    const next = findingIndex >= 0 ? findingIndex : null;
    if (next !== highlighted) setHighlighted(next);
  };
  const onwardQuery = positionQuery(trimmedText, game, variant);
  const isSettled = Boolean(answer || brokenDiagnostics);
  const hasFailed = !isSettled && Boolean(serviceAnswer.error);
  const judgement = diagnostics.length ? countFindings(diagnostics) : "Legal position";
  const verdict = isSettled ? judgement : hasFailed ? "Not checked" : "Reading…";
  const errorSquares = useMemo(() => squaresOf(diagnostics, "error"), [diagnostics]);
  const warningSquares = useMemo(() => squaresOf(diagnostics, "warning"), [diagnostics]);
  const notes = useMemo(() => notesOf(diagnostics), [diagnostics]);

  return (
    <div className="bench edit" onKeyDown={onKeyDown}>
      <h1 className="sr-only">Edit</h1>
      <div className="stage">
        <Board
          drawing={shownAnswer?.position ?? null}
          label={`${info?.title ?? "Board"}, editable`}
          description={shownAnswer?.position.description ?? ""}
          origins={origins}
          selected={heldCell}
          highlighted={highlightedSquares}
          errors={errorSquares}
          warnings={warningSquares}
          notes={notes}
          stale={Boolean(brokenDiagnostics) || hasFailed}
          outdated={!isSettled && !hasFailed}
          coordinates={settings.coordinates}
          animated={settings.animation}
          onPick={onPick}
          onDrop={onDrop}
          onStroke={applyTool}
          onDropOff={(from) => (setHeldCell(null), void erase(from))}
          onErase={(cell) => (setHeldCell(null), void erase(cell))}
          onHover={highlightCell}
          onEscape={() => {
            setHeldCell(null);
            setTool(HAND);
          }}
        />
        <div className="strip">
          <div className="strip-head">
            <span className={`verdict ${!isSettled ? "none" : hasErrors ? "error" : diagnostics.length ? "warning" : "ok"}`}>{verdict}</span>
            <span className="spacer" />
            <button type="button" className="quiet" disabled={!canUndo} onClick={() => stepHistory(undo)}>
              Undo
            </button>
            <button type="button" className="quiet" disabled={!canRedo} onClick={() => stepHistory(redo)}>
              Redo
            </button>
            <button type="button" className="quiet" aria-pressed={flip} onClick={() => setFlip(!flip)}>
              Flip
            </button>
            <CopyButton text={trimmedText} name="text" />
          </div>
          <MarkedText
            ref={field}
            text={text}
            diagnostics={diagnostics}
            highlighted={highlighted}
            onHighlight={setHighlighted}
            onChange={(next) => changeText(next, TYPING_DELAY)}
            label="Position text"
            invalid={hasErrors}
            placeholder="Paste or type a position"
          />
          <p className="onward">
            <Link href={`/${onwardQuery}`}>Open in the workbench</Link>
            <Link href={`/play${onwardQuery}`} disabled={!isSettled || hasErrors}>
              Play from here
            </Link>
            <button type="button" className="link" disabled={!answer} onClick={() => setIsSaving(true)}>
              Save
            </button>
            <Share text={answer ? trimmedText : ""} hint={{ game, ...(variant ? { variant } : {}) }} theme={theme} flip={flip} />
          </p>
          {isSaving && (
            <SaveForm
              text={trimmedText}
              hint={{ game, ...(variant ? { variant } : {}) }}
              isReady={Boolean(answer)}
              onDone={() => setIsSaving(false)}
              suggestion={info?.title ?? ""}
            />
          )}
        </div>
      </div>

      <aside className="notes">
        {serviceAnswer.error && requestKey ? <Notice onRetry={serviceAnswer.retry}>{errorMessage(serviceAnswer.error)}</Notice> : null}
        <Section
          title="Add to the board"
          aside={
            <span className="inline-selects">
              <label className="inline-select">
                <span className="sr-only">Game</span>
                <GameSelect
                  games={games}
                  value={game}
                  onChange={(next) => {
                    startChoice();
                    setGame(next);
                    setVariant("");
                    startWithText(games.find(({ name }) => name === next)?.start ?? "");
                  }}
                />
              </label>
              {info && info.variants.length > 1 && (
                <label className="inline-select">
                  <span className="sr-only">Variant</span>
                  <VariantSelect info={info} value={variant} onChange={chooseVariant} anyLabel="Any variant" />
                </label>
              )}
            </span>
          }
        >
          <div className="tools" role="group" aria-label="Tools">
            <button type="button" className="tool-word" aria-pressed={tool.kind === "hand"} onClick={() => setTool(HAND)}>
              Move
            </button>
            <button type="button" className="tool-word" aria-pressed={tool.kind === "erase"} onClick={() => (setHeldCell(null), setTool({ kind: "erase" }))}>
              Erase
            </button>
            <button type="button" className="tool-word" onClick={() => (setHeldCell(null), void applyChange({ clear: true }, "Board cleared"))}>
              Empty the board
            </button>
          </div>
          <Palette
            key={game}
            palette={shownAnswer?.palette ?? []}
            chosen={tool.kind === "put" ? tool.entry.symbol : null}
            onChoose={(entry) => {
              setHeldCell(null);
              setTool({ kind: "put", entry });
            }}
            onDrop={(entry, cell) => void placeEntry(entry, cell)}
          />
          <p className="refused-room" role="alert">
            {rejection}
          </p>
        </Section>

        <Section title="Other fields">
          <div className="fields">
            {(shownAnswer?.fields ?? []).map((field) => (
              <Field key={`${game} ${field.name}`} field={field} onChange={(value) => applyChange({ field: { name: field.name, value } }, `${field.label}: ${value || "none"}`)} />
            ))}
          </div>
        </Section>

        <Section title="Findings">
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
              <p className="muted">{isSettled ? "Nothing to correct." : "\u00a0"}</p>
            )}
          </div>
        </Section>

        <Section title="Start from">
          <ul className="chips">
            {Object.entries(info?.names ?? {}).map(([name, text]) => (
              <li key={name}>
                <button type="button" className="chip" aria-pressed={text === trimmedText} onClick={() => startWithPosition(name, text)}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </Section>
      </aside>
    </div>
  );
}

/** Return the game to start with: that of the address, else the last one used, else the first. */
function initialGame(games: ViewProps["games"], query: URLSearchParams): string {
  const requestedGame = query.get("game") ?? (query.get("text") ? "" : readStored("forsyth.game"));
  return games.find(({ name }) => name === requestedGame)?.name ?? games[0]?.name ?? "";
}
