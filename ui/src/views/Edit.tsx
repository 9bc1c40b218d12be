import { useEffect, useMemo, useRef, useState } from "react";
import { api, sentence, type EditRequest } from "../api/client";
import type { Diagnostic, EditAnswer, FieldEntry, PaletteEntry } from "../api/types";
import { Board } from "../board/Board";
import { cellBoxes, sameGroup } from "../board/geometry";
import { parsePicture } from "../board/picture";
import { Thumb } from "../board/Thumb";
import { tokenElements } from "../board/tokens";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, recall, remember, TYPING, useLatest } from "../shell/hooks";
import { CopyButton, Link, Notice, Section } from "../shell/parts";
import { countFindings, Findings } from "../text/Findings";
import { MarkedText } from "../text/MarkedText";
import { applyFix, squaresOf } from "../text/spans";
import { usePalette } from "./palette";

type Tool = { kind: "hand" } | { kind: "erase" } | { kind: "put"; entry: PaletteEntry };
type Change = Pick<EditRequest, "put" | "move" | "field">;

/** Up to how many things a palette shows large on a small screen. */
const FEW = 16;

const HAND: Tool = { kind: "hand" };
const NO_FINDINGS: readonly Diagnostic[] = [];

export function Edit({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [game, setGame] = useState(() => firstGame(games, query));
  const [text, setText] = useState(() => query.get("text") ?? games.find(({ name }) => name === game)?.start ?? "");
  const [delay, setDelay] = useState(0);
  const [flip, setFlip] = useState(false);
  const [tool, setTool] = useState<Tool>(HAND);
  const [held, setHeld] = useState<string | null>(null);
  const [refused, setRefused] = useState("");
  const [lit, setLit] = useState<number | null>(null);
  const [past, setPast] = useState<string[]>([]);

  const given = text.trim();
  const question = given ? JSON.stringify([given, game, theme, flip]) : null;
  const [told, setTold] = useState<{ question: string; answer: EditAnswer } | null>(null);
  const asked = useLatest(
    told?.question === question ? null : question,
    async (signal) => {
      try {
        return { question: question!, answer: await api.edit({ text: given, ...(game ? { game } : {}), theme, flip }, signal), broken: null };
      } catch (error) {
        if (signal.aborted) throw error;
        const reading = await api.read({ text: given, ...(game ? { game } : {}), theme, flip }, signal);
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
    if (answer) navigate(`/edit?text=${encodeURIComponent(given)}&game=${encodeURIComponent(game)}`, true);
  }, [answer, game, given]);

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
        const next = await api.edit({ text: latest.current, ...(game ? { game } : {}), ...what, theme, flip });
        latest.current = next.text.trim();
        setTold({ question: JSON.stringify([latest.current, game, theme, flip]), answer: next });
        put(next.text);
        const count = countFindings(next.diagnostics);
        announce(`${words}. ${count ? `${count}: ${next.diagnostics[0]?.message ?? ""}` : ""}`);
        return true;
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
    void change({ move: { from, to } }, `${from} to ${to}`);
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
  const onward = `?text=${encodeURIComponent(given)}${game ? `&game=${encodeURIComponent(game)}` : ""}`;
  const info = games.find(({ name }) => name === game);
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
            <Link href={`/play${onward}`}>Play from here</Link>
          </p>
        </div>
      </div>

      <aside className="notes">
        {asked.error && question ? <Notice>{sentence(asked.error)}</Notice> : null}
        <Section
          title="Put"
          aside={
            <label className="inline-select">
              <span className="sr-only">Game</span>
              <select
                value={game}
                onChange={(event) => {
                  const next = games.find(({ name }) => name === event.target.value);
                  setGame(event.target.value);
                  setTool(HAND);
                  setHeld(null);
                  setPast([]);
                  setDelay(0);
                  setText(next?.start ?? "");
                }}
              >
                {games.map(({ name, title }) => (
                  <option key={name} value={name}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
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
            {Object.entries(info?.names ?? {}).map(([name, named]) => (
              <li key={name}>
                <button type="button" className="chip" aria-pressed={named === given} onClick={() => put(named)}>
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

interface PaletteProps {
  palette: readonly PaletteEntry[];
  chosen: string | null;
  onChoose: (entry: PaletteEntry) => void;
}

function Palette({ palette, chosen, onChoose }: PaletteProps) {
  const groups = [...new Set(palette.map(({ group }) => group))];
  const few = palette.length <= FEW;
  return (
    <div className={`palette${few ? " few" : ""}`}>
      {groups.map((group) => (
        <div key={group} className="palette-group" role="group" aria-label={group}>
          {palette
            .filter((entry) => entry.group === group)
            .map((entry) => (
              <button
                key={entry.symbol}
                type="button"
                className="tool"
                title={entry.label}
                aria-label={entry.label}
                aria-pressed={chosen === entry.symbol}
                onClick={() => onChoose(entry)}
              >
                <Thumb svg={entry.svg} />
              </button>
            ))}
        </div>
      ))}
    </div>
  );
}

function choicesOf(field: FieldEntry): { value: string; label: string }[] {
  return (field.choices ?? []).map((choice) =>
    typeof choice === "object" ? choice : { value: String(choice), label: String(choice) },
  );
}

function Field({ field, onChange }: { field: FieldEntry; onChange: (value: string) => Promise<boolean> }) {
  const value = String(field.value ?? "");
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const choices = choicesOf(field);
  const commit = (next: string) => {
    setDraft(next);
    if (next !== value) void onChange(next).then((done) => !done && setDraft(value));
  };

  if (field.kind === "choice") {
    return (
      <label className={`field${choices.some(({ label }) => label.length > 16) ? " wide" : ""}`}>
        <span>{field.label}</span>
        <select value={draft} onChange={(event) => commit(event.target.value)}>
          {choices.every((choice) => choice.value !== draft) && <option value={draft}>{draft}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (field.kind === "flags") {
    const flip = (flag: string, on: boolean) => {
      const set = choices.filter((choice) => (choice.value === flag ? on : draft.includes(choice.value)));
      commit(set.map((choice) => choice.value).join(""));
    };
    return (
      <fieldset className="field flags">
        <legend>{field.label}</legend>
        {choices.map((choice) => (
          <label key={choice.value}>
            <input type="checkbox" checked={draft.includes(choice.value)} onChange={(event) => flip(choice.value, event.target.checked)} />
            {choice.label}
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <label className="field">
      <span>{field.label}</span>
      <input
        type={field.kind === "number" ? "number" : "text"}
        value={draft}
        onChange={(event) => {
          const next = event.target.value;
          if (field.kind === "number" && next !== "") commit(next);
          else setDraft(next);
        }}
        onBlur={() => (draft === "" && field.kind === "number" ? setDraft(value) : commit(draft))}
        onKeyDown={(event) => event.key === "Enter" && commit(draft)}
      />
    </label>
  );
}
