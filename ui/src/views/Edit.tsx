import { useEffect, useMemo, useRef, useState } from "react";
import { api, sentence } from "../api/client";
import type { Diagnostic, EditAnswer, EditRequest, PaletteEntry } from "../api/types";
import { Board } from "../board/Board";
import { cellBoxes, sameGroup } from "../board/geometry";
import { parsePicture } from "../board/picture";
import { tokenElements } from "../board/tokens";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, recall, remember, TYPING, useLatest } from "../shell/hooks";
import { CopyButton, Link, Notice, Section } from "../shell/parts";
import { countFindings, Findings } from "../text/Findings";
import { MarkedText } from "../text/MarkedText";
import { applyFix, squaresOf } from "../text/spans";
import { GameSelect, VariantSelect } from "./choices";
import { Field } from "./edit/Field";
import { Palette } from "./edit/Palette";
import { onwardQuery } from "./onward";
import { usePalette } from "./palette";

type Tool = { kind: "hand" } | { kind: "erase" } | { kind: "put"; entry: PaletteEntry };
type Change = Pick<EditRequest, "put" | "move" | "field">;

const HAND: Tool = { kind: "hand" };
const NO_FINDINGS: readonly Diagnostic[] = [];

export function Edit({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [game, setGame] = useState(() => firstGame(games, query));
  const [variant, setVariant] = useState(query.get("variant") ?? "");
  const [text, setText] = useState(() => query.get("text") ?? games.find(({ name }) => name === game)?.start ?? "");
  const [delay, setDelay] = useState(0);
  const [flip, setFlip] = useState(false);
  const [tool, setTool] = useState<Tool>(HAND);
  const [held, setHeld] = useState<string | null>(null);
  const [refused, setRefused] = useState("");
  const [lit, setLit] = useState<number | null>(null);
  const [past, setPast] = useState<string[]>([]);

  const given = text.trim();
  const asking = { ...(game ? { game } : {}), ...(variant ? { variant } : {}), theme, flip };
  const questionOf = (words: string) => JSON.stringify([words, game, variant, theme, flip]);
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
  const { names } = usePalette(game || null, games, theme);

  useEffect(() => {
    if (game) remember("forsyth.game", game);
    if (answer) navigate(`/edit${onwardQuery(given, game, variant)}`, true);
  }, [answer, game, given, variant]);

  const put = (next: string, at = 0) => {
    setDelay(at);
    setPast((texts) => (texts[texts.length - 1] === text ? texts : [...texts.slice(-199), text]));
    setText(next);
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

  const origins = useMemo(() => occupied(shown?.position.svg), [shown]);

  const pick = (cell: string, _token: unknown, dragging: boolean) => {
    if (dragging) return setHeld(cell);
    if (tool.kind === "put") return void change({ put: { square: cell, symbol: tool.entry.symbol } }, `${tool.entry.label} on ${cell}`);
    if (tool.kind === "erase") return void change({ put: { square: cell, symbol: null } }, `${cell} emptied`);
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
    setPast([]);
    setDelay(0);
    setRefused("");
    setText(next);
  };

  const info = games.find(({ name }) => name === game);

  /** Another variant: a start that nobody has touched becomes that of the variant, any other text stays. */
  const chooseVariant = async (next: string) => {
    const untouched = !past.length && starts.current.has(given);
    try {
      if (untouched && info) begin(next ? await named("start", next) : info.start);
      setDelay(0);
      setVariant(next);
    } catch (error) {
      setRefused(sentence(error));
    }
  };

  /** The text that a name stands for in a variant. */
  const named = async (name: string, of: string): Promise<string> => {
    const reading = await api.read({ text: name, game, variant: of });
    if (!reading.canonical) throw new Error(reading.diagnostics[0]?.message ?? `There is no ${name}.`);
    if (name === "start") starts.current.add(reading.canonical);
    return reading.canonical;
  };
  const starts = useRef(new Set(games.map(({ start }) => start)));

  const beginWith = async (name: string, text: string) => {
    try {
      put(variant ? await named(name, variant) : text);
    } catch (error) {
      setRefused(sentence(error));
    }
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "z" && (event.ctrlKey || event.metaKey) && !(event.target as Element).closest("input, textarea")) {
      event.preventDefault();
      undo();
    }
  };

  const undo = () => {
    const before = past[past.length - 1];
    if (before === undefined) return;
    setPast(past.slice(0, -1));
    setDelay(0);
    setText(before);
    setRefused("");
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
  const verdict = !settled ? "Reading…" : diagnostics.length ? countFindings(diagnostics) : "Legal position";

  return (
    <div className="bench edit" onKeyDown={onKeyDown}>
      <h1 className="sr-only">Edit</h1>
      <div className="stage">
        <Board
          svg={shown?.position.svg ?? null}
          label={`${info?.title ?? "Board"}, being edited`}
          description={shown?.position.description ?? ""}
          names={names}
          origins={origins}
          selected={held}
          lit={litSquares}
          errors={broken ? squaresOf(diagnostics, "error") : undefined}
          warnings={broken ? squaresOf(diagnostics, "warning") : undefined}
          stale={Boolean(broken)}
          onPick={pick}
          onDrop={drop}
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
            <button type="button" className="quiet" disabled={!past.length} onClick={undo}>
              Undo
            </button>
            <button type="button" className="quiet" aria-pressed={flip} onClick={() => setFlip(!flip)}>
              Flip
            </button>
            <CopyButton text={given} name="text" />
          </div>
          <MarkedText
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
          </p>
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
          </div>
          <Palette
            palette={shown?.palette ?? []}
            chosen={tool.kind === "put" ? tool.entry.symbol : null}
            onChoose={(entry) => {
              setHeld(null);
              setTool({ kind: "put", entry });
            }}
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

/** The cells of a drawing on which something stands. */
function occupied(svg: string | undefined): ReadonlySet<string> {
  const picture = svg ? parsePicture(svg) : null;
  if (!picture) return new Set();
  return new Set(cellBoxes(picture.root).flatMap(({ id, element }) => (tokenElements(element).length ? [id] : [])));
}
