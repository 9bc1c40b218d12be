import { useEffect, useMemo, useRef, useState } from "react";
import { api, sentence, type Told } from "../api/client";
import type { Diagnostic, GameInfo, Theme } from "../api/types";
import { Board } from "../board/Board";
import { sameGroup } from "../board/geometry";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, recall, remember, TYPING, useLatest } from "../shell/hooks";
import { CopyButton, EmptyDrawing, Link, Notice, Section } from "../shell/parts";
import { countFindings, Findings } from "../text/Findings";
import { MarkedText } from "../text/MarkedText";
import { applyFix, applyFixes, squaresOf } from "../text/spans";
import { GameSelect, VariantSelect } from "./choices";
import { onwardQuery } from "./onward";
import { usePalette } from "./palette";
import { SaveForm } from "./SaveForm";

const NO_FINDINGS: readonly Diagnostic[] = [];
const GAME_KEY = "forsyth.game";

const FORMS: readonly [key: string, label: string][] = [
  ["plain", "Plain"],
  ["canonical", "Canonical"],
  ["base64", "Base64"],
  ["fenz", "Compressed"],
  ["state", "Hash"],
  ["url", "URL text"],
  ["link", "Link"],
];

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

export function Workbench({ games, theme, path, query }: ViewProps) {
  const announce = useAnnounce();
  const shared = textOfPath(path) ?? query.get("text");
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => shared ?? startOf(games));
  const [game, setGame] = useState(query.get("game") ?? "");
  const [variant, setVariant] = useState(query.get("variant") ?? "");
  const [flip, setFlip] = useState(false);
  const [delay, setDelay] = useState(0);
  const [lit, setLit] = useState<number | null>(null);
  const [litCell, setLitCell] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);

  const given = text.trim();
  const question = given ? JSON.stringify({ text: given, game, variant, theme, flip }) : null;
  const reading = useLatest(
    question,
    async (signal) => {
      const asked = { ...(game ? { game } : {}), ...(variant ? { variant } : {}) };
      const answer = await api.read({ text: given, ...asked, theme, flip, marks: true }, signal);
      return { given, variant, answer, look: `${theme} ${flip}` };
    },
    delay,
  );
  const answer = reading.data?.answer ?? null;
  const fresh = reading.data?.given === given;
  const diagnostics = given && answer && fresh ? answer.diagnostics : NO_FINDINGS;
  const known = answer?.game ?? null;
  const info = games.find(({ name }) => name === known) ?? null;
  // What the answer was of: the choice may have changed since.
  const read = reading.data?.variant;
  const told: Told = { ...(known ? { game: known } : {}), ...(read ? { variant: read } : {}) };

  const undrawn = fresh && !!given && answer !== null && !answer.position;
  const standIn = useLatest(
    undrawn ? JSON.stringify([given, told, theme, flip]) : null,
    (signal) => drawInstead({ text: given, ...told }, diagnostics, info, { theme, flip }, board.current, signal),
  );
  const board = useRef<Shown | null>(null);
  if (answer?.position) {
    board.current = { ...answer.position, kind: "drawn", look: reading.data!.look };
  } else if (undrawn && standIn.data && !standIn.pending) {
    board.current = standIn.data;
  }

  const formsOf = answer?.position && given ? JSON.stringify([answer.text, told]) : null;
  const forms = useLatest(formsOf, (signal) => api.forms(answer!.text, told, signal));
  const shown = formsOf ? (forms.data?.forms ?? null) : null;

  const { names } = usePalette(known, games, theme);

  // A link carries the text wrapped; the page shows it plain.
  const plain = shown && !forms.pending ? shown.plain : null;
  useEffect(() => {
    if (plain && answer?.form !== "plain" && shared !== null && text === shared) setText(plain);
  }, [answer, plain, shared, text]);

  useEffect(() => {
    if (known) remember(GAME_KEY, known);
  }, [known]);

  useEffect(() => {
    if (!fresh || !given || !answer) return;
    const chosen = game || variant ? onwardQuery("", game, variant) : "";
    const pristine = given === startOf(games) && !chosen;
    const link = formsOf && !forms.pending && typeof shown?.link === "string" ? shown.link : null;
    if (pristine && !textOfPath(location.pathname)) return;
    if (answer.position && answer.ok) {
      if (link) navigate(link + chosen, true);
    } else {
      navigate(`/p/${encodeURIComponent(given)}${chosen}`, true);
    }
  }, [answer, forms.pending, formsOf, fresh, game, games, given, shown, variant]);

  useEffect(() => {
    if (!fresh || !answer) return;
    const count = countFindings(answer.diagnostics);
    announce(count ? `${count}. ${answer.diagnostics[0]?.message ?? ""}` : "No findings.");
  }, [announce, answer, fresh]);

  const put = (next: string, at = 0) => {
    setDelay(at);
    setText(next);
    setLit(null);
  };

  const fixAll = async () => {
    try {
      const { fixed } = await api.fix(given, told);
      put(fixed ?? applyFixes(given, diagnostics));
    } catch (error) {
      setRefused(sentence(error));
    }
  };
  const [refused, setRefused] = useState("");
  useEffect(() => setRefused(""), [text]);

  const litFinding = lit !== null ? diagnostics[lit] : undefined;
  const litSquares = useMemo(() => new Set(litFinding?.square ? [litFinding.square] : []), [litFinding]);
  const hover = (cell: string | null) => {
    if (cell === litCell) return;
    setLitCell(cell);
    const found = cell ? diagnostics.findIndex(({ square }) => square && (square === cell || sameGroup(square, cell))) : -1;
    setLit(found >= 0 ? found : null);
  };

  const errors = diagnostics.some(({ severity }) => severity === "error");
  const fixable = diagnostics.filter(({ fix }) => fix).length;
  const verdict = !given
    ? "Nothing to read yet"
    : !answer
      ? "Reading…"
      : errors
        ? countFindings(diagnostics)
        : diagnostics.length
          ? `Valid, ${countFindings(diagnostics)}`
          : "Valid";
  const title = info?.title;
  const onward = onwardQuery(answer?.position?.canonical ?? given, known, variant);

  return (
    <div className="bench">
      <h1 className="sr-only">Workbench</h1>
      <div className="stage">
        <Board
          svg={board.current?.svg ?? null}
          label={board.current?.title ?? "Board"}
          description={board.current?.description ?? ""}
          names={names}
          lit={litSquares}
          errors={board.current?.kind === "drawn" ? undefined : squaresOf(diagnostics, "error")}
          warnings={board.current?.kind === "drawn" ? undefined : squaresOf(diagnostics, "warning")}
          stale={!given || (undrawn && board.current?.kind !== "repaired")}
          onHover={hover}
        >
          {(!given || (undrawn && !board.current)) && (
            <div className="forsyth-note">
              {!board.current && <EmptyDrawing />}
              <p>{given ? "This text cannot be drawn." : "Paste a position, or pick an example."}</p>
            </div>
          )}
        </Board>
        <div className="strip">
          <div className="strip-head">
            <span className={`verdict ${!given || !answer ? "none" : errors ? "error" : diagnostics.length ? "warning" : "ok"}`}>
              {verdict}
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
                <option value="">{given && title && !game ? `${title} (detected)` : "Detect the game"}</option>
              </GameSelect>
            </label>
            {given && info && info.variants.length > 1 && (
              <label className="inline-select">
                <span className="sr-only">Variant</span>
                <VariantSelect info={info} value={variant} onChange={(next) => (setDelay(0), setVariant(next))} open="Any variant" />
              </label>
            )}
            <span className="spacer" />
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
            placeholder="Paste the text of a position"
            onEnter={() => setDelay(0)}
          />
          <p className="onward">
            <Link href={`/play${onward}`} disabled={!given || !answer?.ok}>
              Play from here
            </Link>
            <Link href={`/edit${onward}`}>Edit</Link>
            <button type="button" className="link" disabled={!answer?.position} onClick={() => setSaving(true)}>
              Save
            </button>
          </p>
          {saving && answer?.position && (
            <SaveForm text={given} told={told} onDone={() => setSaving(false)} suggestion={title ?? ""} />
          )}
        </div>
      </div>

      <aside className="notes">
        {reading.error ? <Notice onRetry={reading.retry}>{sentence(reading.error)}</Notice> : null}
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
              <p className="muted">{given && answer?.ok ? "Nothing to correct." : given ? " " : "They appear as you type."}</p>
            )}
            {refused && <p className="refused">{refused}</p>}
            {undrawn && board.current?.kind === "repaired" && (
              <p className="muted small below">The board shows the text with every fix applied.</p>
            )}
          </div>
        </Section>

        <Section title="Forms">
          <dl className="forms">
            {FORMS.map(([key, label]) => {
              const value = shown?.[key] ?? (key === "link" && given ? `/p/${encodeURIComponent(given)}` : null);
              const full = key === "link" && value ? new URL(value, location.href).href : value;
              return (
                <div key={key}>
                  <dt>{label}</dt>
                  <dd>
                    <code title={full ?? undefined}>{full ?? "—"}</code>
                    {full && <CopyButton text={full} name={label} />}
                  </dd>
                </div>
              );
            })}
          </dl>
        </Section>

        <Section title="Examples">
          {games.map((entry) => (
            <div key={entry.name} className="examples">
              <h3>{entry.title}</h3>
              <ul className="chips">
                {Object.entries(entry.examples).map(([name, example]) => (
                  <li key={name}>
                    <button
                      type="button"
                      className="chip"
                      aria-pressed={example === given}
                      onClick={() => {
                        setGame("");
                        setVariant("");
                        put(example);
                      }}
                    >
                      {name}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </Section>
      </aside>
    </div>
  );
}

function startOf(games: ViewProps["games"]): string {
  const last = recall(GAME_KEY);
  return (games.find(({ name }) => name === last) ?? games[0])?.start ?? "";
}

interface Shown {
  svg: string;
  title: string;
  description: string;
  game: string;
  /** Theme and side, as asked for. */
  look: string;
  /** What the drawing is of: the text, the text with every fix applied, or only a board of its game. */
  kind: "drawn" | "repaired" | "board";
}

/** A drawing to mark the findings on when the text itself has none; most often one request away. */
async function drawInstead(
  given: { text: string } & Told,
  diagnostics: readonly Diagnostic[],
  game: GameInfo | null,
  look: { theme: Theme; flip: boolean },
  last: Shown | null,
  signal: AbortSignal,
): Promise<Shown | null> {
  if (!game) return null;
  const words = `${look.theme} ${look.flip}`;
  const { text, ...told } = given;
  const draw = (of: string) => api.read({ text: of, ...told, ...look, marks: false }, signal);
  if (diagnostics.some(({ fix }) => fix)) {
    const { position } = await draw(applyFixes(text, diagnostics));
    if (position) return { ...position, kind: "repaired", look: words };
    const { fixed } = await api.fix(text, told, signal);
    const second = fixed ? (await draw(fixed)).position : null;
    if (second) return { ...second, kind: "repaired", look: words };
  }
  if (last?.game === game.name && last.look === words) return { ...last, kind: "board" };
  const { position } = await api.read({ text: game.names.empty ?? game.start, game: game.name, ...look }, signal);
  return position && { ...position, kind: "board", look: words };
}
