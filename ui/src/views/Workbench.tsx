import { useEffect, useMemo, useRef, useState } from "react";
import { api, sentence } from "../api/client";
import { useBeforePaint } from "../beforePaint";
import { Board } from "../board/Board";
import { sameGroup } from "../board/geometry";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, recall, remember, TYPING, useLatest } from "../shell/hooks";
import { FileButton } from "../shell/FileButton";
import { Fold } from "../shell/Fold";
import { CopyButton, EmptyDrawing, Link, Notice, Section } from "../shell/parts";
import { lookOf, useSettings } from "../shell/settings";
import { countFindings, Findings } from "../text/Findings";
import { MarkedText } from "../text/MarkedText";
import { applyFix, applyFixes, notesOf, squaresOf } from "../text/spans";
import { useTextHistory } from "../text/useTextHistory";
import { GameSelect, VariantSelect } from "./choices";
import { compareQuery, onwardQuery } from "./onward";
import { PlayedHere } from "./PlayedHere";
import { SaveForm } from "./SaveForm";
import { Share } from "./Share";
import { Examples } from "./workbench/Examples";
import { Forms } from "./workbench/Forms";
import { useIntake } from "./workbench/useIntake";
import { useReading, type Reading } from "./workbench/useReading";

const GAME_KEY = "forsyth.game";

/** The text a share link carries. */
export function textOfPath(path: string): string | null {
  if (!path.startsWith("/p/")) return null;
  const part = path.slice(3);
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function Workbench({ games, index, theme, path, query }: ViewProps) {
  const announce = useAnnounce();
  const settings = useSettings();
  const shared = textOfPath(path) ?? query.get("text");
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, set, reset } = useTextHistory(shared ?? startOf(games), field);
  const [game, setGame] = useState(query.get("game") ?? "");
  const [variant, setVariant] = useState(query.get("variant") ?? "");
  const [flip, setFlip] = useState(false);
  const [delay, setDelay] = useState(0);
  const [lit, setLit] = useState<number | null>(null);
  const [litCell, setLitCell] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);

  const given = text.trim();
  const lastGame = useRef<string | null>(null);
  const look = { theme, flip, ...lookOf(settings, game || lastGame.current) };
  const reading = useReading(given, { game, variant }, look, games, delay);
  const { answer, diagnostics, state, told, shown } = reading;
  lastGame.current = reading.game;
  const info = games.find(({ name }) => name === reading.game) ?? null;

  const formsOf = answer?.position ? JSON.stringify([answer.text, told]) : null;
  const forms = useLatest(formsOf, async (signal) => ({ of: formsOf, ...(await api.forms(answer!.text, told, signal)) }));
  const written = formsOf && forms.data?.of === formsOf ? forms.data.forms : null;

  // A link carries the text wrapped; the page shows it plain.
  const plain = written?.plain ?? null;
  useEffect(() => {
    if (plain && answer?.form !== "plain" && shared !== null && text === shared) reset(plain);
  }, [answer, plain, reset, shared, text]);

  useEffect(() => {
    if (answer?.game) remember(GAME_KEY, answer.game);
  }, [answer]);

  const link = written?.link ?? null;
  // Before paint: an effect that waits could run after a click on a link, and overwrite the address of the next view.
  useBeforePaint(() => {
    if (!answer) return;
    const chosen = game || variant ? onwardQuery("", game, variant) : "";
    if (given === startOf(games) && !chosen && !textOfPath(location.pathname)) return;
    if (!answer.position || !answer.ok) navigate(`/p/${encodeURIComponent(given)}${chosen}`, true);
    else if (link) navigate(link + chosen, true);
  }, [answer, game, games, given, link, variant]);

  useEffect(() => {
    if (!answer) return;
    const count = countFindings(answer.diagnostics);
    announce(count ? `${count}. ${answer.diagnostics[0]?.message ?? ""}` : "No findings.");
  }, [announce, answer]);

  const put = (next: string, at = 0) => {
    setDelay(at);
    set(next, at > 0);
    setLit(null);
  };

  const intake = useIntake(put);

  const [repair, setRepair] = useState<Repair | null>(null);
  const latest = useRef(text);
  latest.current = text;
  const fixAll = async () => {
    const before = { text, count: diagnostics.length };
    try {
      const { fixed } = await api.fix(given, told);
      if (latest.current !== before.text) return;
      const next = fixed ?? applyFixes(text, diagnostics);
      put(next);
      setRepair({ text: next.trim(), before: before.count, refused: "" });
    } catch (error) {
      if (latest.current === before.text) setRepair({ text: given, before: before.count, refused: sentence(error) });
    }
  };
  const playOn = async (move: string) => {
    const before = { text, count: diagnostics.length };
    try {
      const { after } = await api.play(given, told, move);
      if (latest.current === before.text) put(after);
    } catch (error) {
      if (latest.current === before.text) setRepair({ text: given, before: before.count, refused: sentence(error) });
    }
  };

  const litFinding = lit !== null ? diagnostics[lit] : undefined;
  const litSquares = useMemo(() => new Set(litFinding?.square ? [litFinding.square] : []), [litFinding]);
  const errorSquares = useMemo(() => squaresOf(diagnostics, "error"), [diagnostics]);
  const warningSquares = useMemo(() => squaresOf(diagnostics, "warning"), [diagnostics]);
  const checked = useMemo(() => new Set(answer?.position?.checked), [answer]);
  const notes = useMemo(() => notesOf(diagnostics), [diagnostics]);
  const hover = (cell: string | null) => {
    if (cell === litCell) return;
    setLitCell(cell);
    const found = cell ? diagnostics.findIndex(({ square }) => square && (square === cell || sameGroup(square, cell))) : -1;
    setLit(found >= 0 ? found : null);
  };

  const verdict = verdictOf(reading);
  const fixable = diagnostics.filter(({ fix }) => fix).length;
  const title = info?.title;
  const onward = onwardQuery(answer?.position?.canonical ?? given, answer?.game ?? game, variant);
  const elsewhere = state === "failed" || (reading.undrawn && !reading.drawing && shown?.kind !== "part");

  return (
    <div className={`bench workbench${intake.over ? " over" : ""}`} {...intake.dropArea}>
      <h1 className="sr-only">Workbench</h1>
      <div className="stage">
        <Board
          drawing={shown?.position ?? null}
          label={shown?.position.title ?? "Board"}
          description={state === "read" ? (shown?.position.description ?? "") : ""}
          lit={litSquares}
          errors={errorSquares}
          warnings={warningSquares}
          notes={notes}
          checked={checked}
          stale={!given || elsewhere}
          outdated={state === "reading" || reading.drawing}
          coordinates={settings.coordinates}
          animated={settings.animation}
          onHover={hover}
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
                <option value="">{given && title && !game && state !== "failed" ? `${title} (detected)` : "Detect the game"}</option>
              </GameSelect>
            </label>
            {given && info && info.variants.length > 1 && (
              <label className="inline-select">
                <span className="sr-only">Variant</span>
                <VariantSelect info={info} value={variant} onChange={(next) => (setDelay(0), setVariant(next))} open="Any variant" />
              </label>
            )}
          </div>
          <MarkedText
            ref={field}
            text={text}
            diagnostics={diagnostics}
            lit={lit}
            onLight={setLit}
            onChange={(next) => put(next, TYPING)}
            onPaste={intake.onPaste}
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
                put("");
                setGame("");
                setVariant("");
                navigate("/", true);
                field.current?.focus();
              }}
            >
              Clear
            </button>
            <CopyButton text={given} name="text" />
            <FileButton label="Open a file" onFile={intake.takeFile} />
          </div>
          {intake.refused && (
            <p className="refused" role="alert">
              {intake.refused}
            </p>
          )}
          <p className="onward">
            <Link href={`/play${onward}`} disabled={!answer?.ok}>
              Play from here
            </Link>
            <Link href={`/edit${onward}`}>Edit</Link>
            <Link href={`/compare${compareQuery(given, told)}`}>Compare</Link>
            <button type="button" className="link" disabled={!answer?.position} onClick={() => setSaving(true)}>
              Save
            </button>
            <Share text={answer?.position ? given : ""} told={told} theme={theme} flip={flip} />
          </p>
          {saving && (
            <SaveForm text={given} told={told} ready={Boolean(answer?.position)} onDone={() => setSaving(false)} suggestion={title ?? ""} />
          )}
        </div>
        {state === "failed" || reading.error ? <Notice onRetry={reading.retry}>{sentence(reading.error)}</Notice> : null}
        <Section
          title="Findings"
          aside={
            fixable > 0 && (
              <button type="button" className="quiet" onClick={fixAll}>
                Fix all
              </button>
            )
          }
        >
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
              <p className="muted">{answer?.ok ? "Nothing to correct." : given ? "\u00a0" : "They appear as you type."}</p>
            )}
            <RepairWords repair={repair} given={given} left={answer ? diagnostics.length : null} />
            {reading.undrawn && shown?.kind === "part" && (
              <p className="muted small below">The board shows what could be read of the text; the rest is hatched.</p>
            )}
          </div>
        </Section>

        <PlayedHere
          index={index}
          game={answer?.ok ? answer.game : null}
          text={answer?.ok ? answer.canonical : null}
          onPlay={playOn}
        />

        <Fold title="Forms">
          <Forms forms={written} text={given} />
        </Fold>

        <Section title="Examples">
          <Examples
            games={games}
            text={given}
            onChoose={(example) => {
              setGame("");
              setVariant("");
              put(example);
            }}
          />
        </Section>
      </aside>
    </div>
  );
}

function startOf(games: ViewProps["games"]): string {
  const last = recall(GAME_KEY);
  return (games.find(({ name }) => name === last) ?? games[0])?.start ?? "";
}

/** What is said of a text: nothing that was not found in it. */
function verdictOf({ state, diagnostics }: Reading): { kind: "none" | "ok" | "warning" | "error"; words: string } {
  if (state === "empty") return { kind: "none", words: "Nothing to read yet" };
  if (state === "reading") return { kind: "none", words: "Reading…" };
  if (state === "failed") return { kind: "none", words: "Not judged" };
  const count = countFindings(diagnostics);
  if (diagnostics.some(({ severity }) => severity === "error")) return { kind: "error", words: count };
  return count ? { kind: "warning", words: `Valid, ${count}` } : { kind: "ok", words: "Valid" };
}

/** Why there is no board of the text. */
function BoardNote({ reading: { state, undrawn, drawing, shown } }: { reading: Reading }) {
  const words =
    state === "empty"
      ? "Paste a position, or pick an example."
      : state === "failed"
        ? "This text could not be judged."
        : undrawn && !drawing && shown?.kind !== "part"
          ? "This text cannot be drawn."
          : null;
  if (words === null) return null;
  return (
    <div className="forsyth-note">
      {!shown && <EmptyDrawing />}
      <p>{words}</p>
    </div>
  );
}

/** What became of a text that was to be repaired. */
interface Repair {
  text: string;
  before: number;
  refused: string;
}

/** What a repair did, as far as it is known, and no longer than its text is there. */
function RepairWords({ repair, given, left }: { repair: Repair | null; given: string; left: number | null }) {
  if (!repair || repair.text !== given) return null;
  if (repair.refused) return <p className="refused">{repair.refused}</p>;
  if (left === null) return null;
  const words = left
    ? `Fixed what could be: ${left} of ${repair.before} ${repair.before === 1 ? "finding" : "findings"} left.`
    : `All fixed: ${repair.before} ${repair.before === 1 ? "finding" : "findings"}.`;
  return (
    <p className="muted small below" role="status">
      {words}
    </p>
  );
}
