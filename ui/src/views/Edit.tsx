import { useMemo, useRef, useState } from "react";
import { api, sentence } from "../api/client";
import type { Diagnostic, EditAnswer, EditRequest, PaletteEntry } from "../api/types";
import { useBeforePaint } from "../beforePaint";
import { Board } from "../board/Board";
import { occupied } from "../board/cells";
import { sameGroup } from "../board/geometry";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, recall, remember, TYPING, useLatest } from "../shell/hooks";
import { CopyButton, Link, Notice, Section } from "../shell/parts";
import { lookOf, useSettings } from "../shell/settings";
import { countFindings, Findings } from "../text/Findings";
import { MarkedText } from "../text/MarkedText";
import { applyFix, notesOf, squaresOf } from "../text/spans";
import { historyKey, useTextHistory } from "../text/useTextHistory";
import { GameSelect, VariantSelect } from "./choices";
import { Field } from "./edit/Field";
import { Palette } from "./edit/Palette";
import { onwardQuery } from "./onward";
import { SaveForm } from "./SaveForm";
import { Share } from "./Share";

type Tool = { kind: "hand" } | { kind: "erase" } | { kind: "put"; entry: PaletteEntry };
type Change = Partial<Pick<EditRequest, "put" | "move" | "field" | "clear">>;

const HAND: Tool = { kind: "hand" };
const NO_FINDINGS: readonly Diagnostic[] = [];

export function Edit({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [game, setGame] = useState(() => firstGame(games, query));
  const [variant, setVariant] = useState(query.get("variant") ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  const first = query.get("text") ?? games.find(({ name }) => name === game)?.start ?? "";
  const { text, set, undo, redo, reset, canUndo, canRedo } = useTextHistory(first, field);
  const settings = useSettings();
  const [delay, setDelay] = useState(0);
  const [flip, setFlip] = useState(false);
  const [tool, setTool] = useState<Tool>(HAND);
  const [held, setHeld] = useState<string | null>(null);
  const [refused, setRefused] = useState("");
  const [lit, setLit] = useState<number | null>(null);
  const [saving, setSaving] = useState(false);

  const given = text.trim();
  const look = { theme, flip, ...lookOf(settings, game) };
  const asking = { ...(game ? { game } : {}), ...(variant ? { variant } : {}), ...look, marks: false };
  const questionOf = (words: string) => JSON.stringify([words, game, variant, look]);
  const question = given ? questionOf(given) : null;
  const [told, setTold] = useState<{ question: string; answer: EditAnswer } | null>(null);
  const asked = useLatest(
    told?.question === question ? null : question,
    async (signal) => {
      try {
        return { question: question!, answer: await api.edit({ text: given, ...asking }, signal), broken: null };
      } catch (error) {
        if (signal.aborted) throw error;
        const reading = await api.read({ text: given, ...asking }, signal);
        if (reading.position) throw error;
        return { question: question!, answer: null, broken: reading.diagnostics };
      }
    },
    delay,
  );
  const answer = told?.question === question ? told.answer : asked.data?.question === question ? asked.data.answer : null;
  const broken = told?.question !== question && asked.data?.question === question ? asked.data.broken : null;
  const diagnostics = answer?.diagnostics ?? broken ?? NO_FINDINGS;

  const last = useRef<EditAnswer | null>(null);
  if (answer) last.current = answer;
  const shown = answer ?? (last.current?.position.game === game ? last.current : null);

  // Before paint: an effect that waits could run after a click on a link, and overwrite the address of the next view.
  useBeforePaint(() => {
    if (game) remember("forsyth.game", game);
    if (answer) navigate(`/edit${onwardQuery(given, game, variant)}`, true);
  }, [answer, game, given, variant]);

  const put = (next: string, at = 0) => {
    setDelay(at);
    set(next, at > 0);
    setLit(null);
    setRefused("");
  };

  // Changes wait for one another, so that each begins from what the one before left.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const latest = useRef(given);
  latest.current = given;
  const change = (what: Change, words: string): Promise<boolean> => {
    const done = queue.current.then(async () => {
      try {
        const before = latest.current;
        const next = await api.edit({ text: before, ...asking, ...what });
        // Another text is on the board by now.
        if (latest.current !== before) return false;
        latest.current = next.text.trim();
        setTold({ question: questionOf(latest.current), answer: next });
        put(next.text);
        const count = countFindings(next.diagnostics);
        announce(`${words}. ${count ? `${count}: ${next.diagnostics[0]?.message ?? ""}` : ""}`);
        return latest.current !== before;
      } catch (error) {
        setRefused(sentence(error));
        announce(sentence(error));
        return false;
      }
    });
    queue.current = done;
    return done;
  };

  const origins = useMemo(() => occupied(shown?.position.scene), [shown]);

  const putOn = (entry: PaletteEntry, cell: string) => change({ put: { square: cell, symbol: entry.symbol } }, `${entry.label} on ${cell}`);
  const erase = (cell: string) => change({ put: { square: cell, symbol: null } }, `${cell} emptied`);
  /** What the tool in the hand does to a cell; nothing where it is the hand itself. */
  const brush = tool.kind === "put" ? (cell: string) => void putOn(tool.entry, cell) : tool.kind === "erase" ? (cell: string) => void erase(cell) : undefined;

  const pick = (cell: string, _token: unknown, dragging: boolean) => {
    if (dragging) return setHeld(cell);
    if (brush) return brush(cell);
    if (held && held !== cell) {
      void change({ move: { from: held, to: cell } }, `${held} to ${cell}`);
      return setHeld(null);
    }
    setHeld(held === cell || !origins.has(cell) ? null : cell);
  };

  const drop = (from: string, to: string) => {
    setHeld(null);
    return change({ move: { from, to } }, `${from} to ${to}`);
  };

  const begin = (next: string) => {
    setTool(HAND);
    setHeld(null);
    setDelay(0);
    setRefused("");
    reset(next);
  };

  const info = games.find(({ name }) => name === game);

  /** Another variant: a start that nobody has touched becomes that of the variant, any other text stays. */
  const chooseVariant = async (next: string) => {
    const isLatest = startChoice();
    const untouched = !canUndo && starts.current.has(given);
    try {
      const start = untouched && info ? (next ? await named("start", next) : info.start) : null;
      if (!isLatest()) return;
      if (start !== null) begin(start);
      setDelay(0);
      setVariant(next);
    } catch (error) {
      if (isLatest()) setRefused(sentence(error));
    }
  };

  /** Count a choice of the visitor; the function returned says whether nothing else was chosen or typed since. */
  const startChoice = () => {
    const choice = (choiceCount.current += 1);
    const before = given;
    return () => choice === choiceCount.current && latest.current === before;
  };
  const choiceCount = useRef(0);

  /** The text that a name stands for in a variant. */
  const named = async (name: string, of: string): Promise<string> => {
    const reading = await api.read({ text: name, game, variant: of });
    if (!reading.canonical) throw new Error(reading.diagnostics[0]?.message ?? `There is no ${name}.`);
    if (name === "start") starts.current.add(reading.canonical);
    return reading.canonical;
  };
  const starts = useRef(new Set(games.map(({ start }) => start)));

  const beginWith = async (name: string, text: string) => {
    const isLatest = startChoice();
    try {
      const next = variant ? await named(name, variant) : text;
      if (isLatest()) put(next);
    } catch (error) {
      if (isLatest()) setRefused(sentence(error));
    }
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    const action = (event.target as Element).closest("input, textarea") ? null : historyKey(event);
    if (!action) return;
    event.preventDefault();
    step(action === "undo" ? undo : redo);
  };

  const step = (back: () => void) => {
    setDelay(0);
    setRefused("");
    back();
  };

  const errors = diagnostics.some(({ severity }) => severity === "error");
  const litFinding = lit !== null ? diagnostics[lit] : undefined;
  const litSquares = useMemo(() => new Set(litFinding?.square ? [litFinding.square] : []), [litFinding]);
  const hover = (cell: string | null) => {
    const found = cell ? diagnostics.findIndex(({ square }) => square && (square === cell || sameGroup(square, cell))) : -1;
    const next = found >= 0 ? found : null;
    if (next !== lit) setLit(next);
  };
  const onward = onwardQuery(given, game, variant);
  const settled = Boolean(answer || broken);
  const failed = !settled && Boolean(asked.error);
  const judged = diagnostics.length ? countFindings(diagnostics) : "Legal position";
  const verdict = settled ? judged : failed ? "Not judged" : "Reading…";
  const errorSquares = useMemo(() => squaresOf(diagnostics, "error"), [diagnostics]);
  const warningSquares = useMemo(() => squaresOf(diagnostics, "warning"), [diagnostics]);
  const notes = useMemo(() => notesOf(diagnostics), [diagnostics]);

  return (
    <div className="bench edit" onKeyDown={onKeyDown}>
      <h1 className="sr-only">Edit</h1>
      <div className="stage">
        <Board
          drawing={shown?.position ?? null}
          label={`${info?.title ?? "Board"}, being edited`}
          description={shown?.position.description ?? ""}
          origins={origins}
          selected={held}
          lit={litSquares}
          errors={errorSquares}
          warnings={warningSquares}
          notes={notes}
          stale={Boolean(broken) || failed}
          outdated={!settled && !failed}
          coordinates={settings.coordinates}
          animated={settings.animation}
          onPick={pick}
          onDrop={drop}
          onStroke={brush}
          onDropOff={(from) => (setHeld(null), void erase(from))}
          onErase={(cell) => (setHeld(null), void erase(cell))}
          onHover={hover}
          onEscape={() => {
            setHeld(null);
            setTool(HAND);
          }}
        />
        <div className="strip">
          <div className="strip-head">
            <span className={`verdict ${!settled ? "none" : errors ? "error" : diagnostics.length ? "warning" : "ok"}`}>{verdict}</span>
            <span className="spacer" />
            <button type="button" className="quiet" disabled={!canUndo} onClick={() => step(undo)}>
              Undo
            </button>
            <button type="button" className="quiet" disabled={!canRedo} onClick={() => step(redo)}>
              Redo
            </button>
            <button type="button" className="quiet" aria-pressed={flip} onClick={() => setFlip(!flip)}>
              Flip
            </button>
            <CopyButton text={given} name="text" />
          </div>
          <MarkedText
            ref={field}
            text={text}
            diagnostics={diagnostics}
            lit={lit}
            onLight={setLit}
            onChange={(next) => put(next, TYPING)}
            label="Position text"
            invalid={errors}
            placeholder="The text of the position"
          />
          <p className="onward">
            <Link href={`/${onward}`}>Use in the workbench</Link>
            <Link href={`/play${onward}`} disabled={!settled || errors}>
              Play from here
            </Link>
            <button type="button" className="link" disabled={!answer} onClick={() => setSaving(true)}>
              Save
            </button>
            <Share text={answer ? given : ""} told={{ game, ...(variant ? { variant } : {}) }} theme={theme} flip={flip} />
          </p>
          {saving && (
            <SaveForm
              text={given}
              told={{ game, ...(variant ? { variant } : {}) }}
              ready={Boolean(answer)}
              onDone={() => setSaving(false)}
              suggestion={info?.title ?? ""}
            />
          )}
        </div>
      </div>

      <aside className="notes">
        {asked.error && question ? <Notice onRetry={asked.retry}>{sentence(asked.error)}</Notice> : null}
        <Section
          title="Put"
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
                    begin(games.find(({ name }) => name === next)?.start ?? "");
                  }}
                />
              </label>
              {info && info.variants.length > 1 && (
                <label className="inline-select">
                  <span className="sr-only">Variant</span>
                  <VariantSelect info={info} value={variant} onChange={chooseVariant} open="Any variant" />
                </label>
              )}
            </span>
          }
        >
          <div className="tools" role="group" aria-label="Tools">
            <button type="button" className="tool-word" aria-pressed={tool.kind === "hand"} onClick={() => setTool(HAND)}>
              Move
            </button>
            <button type="button" className="tool-word" aria-pressed={tool.kind === "erase"} onClick={() => (setHeld(null), setTool({ kind: "erase" }))}>
              Erase
            </button>
            <button type="button" className="tool-word" onClick={() => (setHeld(null), void change({ clear: true }, "Everything taken off the board"))}>
              Empty the board
            </button>
          </div>
          <Palette
            key={game}
            palette={shown?.palette ?? []}
            chosen={tool.kind === "put" ? tool.entry.symbol : null}
            onChoose={(entry) => {
              setHeld(null);
              setTool({ kind: "put", entry });
            }}
            onDrop={(entry, cell) => void putOn(entry, cell)}
          />
          <p className="refused-room" role="alert">
            {refused}
          </p>
        </Section>

        <Section title="Also in the text">
          <div className="fields">
            {(shown?.fields ?? []).map((field) => (
              <Field key={`${game} ${field.name}`} field={field} onChange={(value) => change({ field: { name: field.name, value } }, `${field.label}: ${value || "none"}`)} />
            ))}
          </div>
        </Section>

        <Section title="Findings">
          <div className="findings-room">
            {diagnostics.length ? (
              <Findings
                text={given}
                diagnostics={diagnostics}
                lit={lit}
                onLight={setLit}
                onFix={(finding) => finding.fix && put(applyFix(text, finding.fix))}
              />
            ) : (
              <p className="muted">{settled ? "Nothing to correct." : "\u00a0"}</p>
            )}
          </div>
        </Section>

        <Section title="Begin with">
          <ul className="chips">
            {Object.entries(info?.names ?? {}).map(([name, text]) => (
              <li key={name}>
                <button type="button" className="chip" aria-pressed={text === given} onClick={() => beginWith(name, text)}>
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

function firstGame(games: ViewProps["games"], query: URLSearchParams): string {
  const wanted = query.get("game") ?? (query.get("text") ? "" : recall("forsyth.game"));
  return games.find(({ name }) => name === wanted)?.name ?? games[0]?.name ?? "";
}
