import { useCallback, useEffect, useMemo, useRef, useState, type FormEvent } from "react";
import { api, ApiError, sentence } from "../api/client";
import type { GameInfo, MatchView, Move, PaletteEntry, Played } from "../api/types";
import { Board } from "../board/Board";
import { groupOf } from "../board/geometry";
import { Thumb } from "../board/Thumb";
import type { TokenName } from "../board/tokens";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { recall, remember, useLatest } from "../shell/hooks";
import { CopyButton, EmptyDrawing, Link, Notice, Section } from "../shell/parts";
import { usePalette } from "./palette";

interface Line {
  game: string;
  variant: string;
  start: string;
  moves: string[];
  /** How many of the moves are on the board. */
  at: number;
  /** What was taken back and can be played again, the latest last. */
  undone: string[];
}

interface Selection {
  cell: string;
  piece: string | null;
}

const STEPS: readonly { name: string; path: string; to: (at: number, end: number) => number }[] = [
  { name: "To the start", path: "M2 3h2v10H2zM14 3v10L5 8z", to: () => 0 },
  { name: "One back", path: "M12 3v10L4 8z", to: (at) => at - 1 },
  { name: "One forward", path: "M4 3v10l8-5z", to: (at) => at + 1 },
  { name: "To the end", path: "M12 3h2v10h-2zM2 3v10l9-5z", to: (_at, end) => end },
];

const LINE_KEY = "forsyth.line";

/** The moves that begin on a cell, by the cell's own name or by its group's. */
export function movesFrom(moves: readonly Move[], cell: string): Move[] {
  return moves.filter(({ from }) => from !== null && (from === cell || from === groupOf(cell)));
}

/** The moves of a selection; a piece narrows them only where it moves alone. */
export function movesOf(moves: readonly Move[], selection: Selection): Move[] {
  const here = movesFrom(moves, selection.cell);
  const narrowed = selection.piece ? here.filter(({ piece }) => piece === selection.piece) : here;
  return narrowed.length ? narrowed : here;
}

export function movesTo(moves: readonly Move[], cell: string): Move[] {
  return moves.filter(({ to }) => to !== null && (to === cell || to === groupOf(cell)));
}

function firstLine(games: readonly GameInfo[], query: URLSearchParams): Line {
  const text = query.get("text");
  const game = query.get("game");
  if (!text) {
    try {
      const kept = JSON.parse(recall(LINE_KEY, "sessionStorage") ?? "null") as Line | null;
      if (kept && games.some(({ name }) => name === kept.game) && (!game || game === kept.game)) return kept;
    } catch {
      // What cannot be read is begun anew.
    }
  }
  const last = game ?? recall("forsyth.game");
  const info = games.find(({ name }) => name === last) ?? games[0];
  return fresh(info?.name ?? "", "", text ?? "");
}

function fresh(game: string, variant: string, start: string): Line {
  return { game, variant, start, moves: [], at: 0, undone: [] };
}

export function Play({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [line, setLine] = useState(() => firstLine(games, query));
  const [flip, setFlip] = useState(false);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [choices, setChoices] = useState<Move[] | null>(null);
  const [refused, setRefused] = useState("");
  const [panel, setPanel] = useState<"" | "new" | "import" | "export">("");
  const info = games.find(({ name }) => name === line.game);

  const question = JSON.stringify([line.game, line.variant, line.start, line.moves, line.at, theme, flip]);
  const answer = useLatest(question, async (signal) => {
    const request = {
      game: line.game,
      ...(line.variant ? { variant: line.variant } : {}),
      ...(line.start ? { start: line.start } : {}),
      moves: line.moves,
      at: line.at,
      theme,
      flip,
    };
    try {
      return { question, view: await api.match(request, signal), problem: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return { question, view: null, problem: error.message };
    }
  });
  const current = answer.data?.question === question ? answer.data : null;
  const problem = current?.problem ?? "";
  const last = useRef<MatchView | null>(null);
  if (answer.data) last.current = answer.data.view ?? (problem && !line.moves.length ? null : last.current);
  const view = last.current;
  const ready = Boolean(current?.view);
  const moves = ready && view ? view.moves : [];

  // A start that cannot be played is still shown, with what is wrong marked on it.
  const unplayable = problem && !view ? line.start : "";
  const standIn = useLatest(unplayable ? JSON.stringify([unplayable, line.game, theme, flip]) : null, (signal) =>
    api.read({ text: unplayable, game: line.game, theme, flip, marks: true }, signal),
  );
  const shown = view ?? (unplayable ? (standIn.data?.position ?? null) : null);
  const { names, palette } = usePalette(line.game || null, games, theme);

  useEffect(() => {
    remember(LINE_KEY, JSON.stringify(line), "sessionStorage");
    remember("forsyth.game", line.game);
  }, [line]);

  useEffect(() => {
    setSelection(null);
    setChoices(null);
  }, [question]);

  const lastGood = useRef(line);
  useEffect(() => {
    if (ready) lastGood.current = line;
    if (problem && line.moves.length && lastGood.current !== line) {
      setRefused(problem);
      setLine(lastGood.current);
    }
  }, [line, problem, ready]);

  const playText = useCallback(
    (move: string) => {
      setRefused("");
      setLine((now) => ({
        ...now,
        moves: [...now.moves.slice(0, now.at), move],
        at: now.at + 1,
        undone: [],
      }));
      announce(`${move} played.`);
    },
    [announce],
  );

  const playOrChoose = (candidates: Move[]) => {
    if (candidates.length === 1 && candidates[0]) playText(candidates[0].move);
    else if (candidates.length) setChoices(candidates);
  };

  const selected = selection ? movesOf(moves, selection) : [];
  const targets = useMemo(() => new Set(selected.flatMap(({ to }) => (to ? [to] : []))), [selected]);
  const origins = useMemo(() => new Set(moves.flatMap(({ from }) => (from ? [from] : []))), [moves]);

  const pick = (cell: string, token: TokenName | null, dragging: boolean) => {
    setChoices(null);
    setRefused("");
    if (!dragging && selection) {
      const fit = movesTo(selected, cell);
      if (fit.length) return playOrChoose(fit);
      if (selection.cell === cell && selection.piece === (token?.symbol ?? null)) return setSelection(null);
    }
    const here = movesFrom(moves, cell);
    if (!here.length) return setSelection(null);
    const piece = token && here.some((move) => move.piece === token.symbol) ? token.symbol : null;
    setSelection({ cell, piece });
    if (!dragging) announce(`${cell} selected, ${movesOf(moves, { cell, piece }).length} moves.`);
  };

  const drop = (from: string, to: string) => {
    const chosen = selection ?? { cell: from, piece: null };
    const fit = movesTo(movesOf(moves, { ...chosen, cell: from }), to);
    if (fit.length) playOrChoose(fit);
    else setSelection(null);
  };

  const step = useCallback((to: number) => {
    setRefused("");
    setLine((now) => ({ ...now, at: Math.max(0, Math.min(now.moves.length, to)) }));
  }, []);

  const undo = useCallback(
    (count = 1) => {
      setRefused("");
      setLine((now) => {
        const left = Math.max(0, now.moves.length - count);
        const taken = now.moves.slice(left).reverse();
        return { ...now, moves: now.moves.slice(0, left), at: left, undone: [...now.undone, ...taken] };
      });
      announce("Taken back.");
    },
    [announce],
  );

  const redo = () =>
    setLine((now) => {
      const move = now.undone[now.undone.length - 1];
      if (!move) return now;
      const next = [...now.moves, move];
      return { ...now, moves: next, at: next.length, undone: now.undone.slice(0, -1) };
    });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (target.closest("input, textarea, select, [role=application]")) return;
      if (event.key === "ArrowLeft") step(line.at - 1);
      else if (event.key === "ArrowRight") step(line.at + 1);
      else if (event.key === "Home") step(0);
      else if (event.key === "End") step(line.moves.length);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [line.at, line.moves.length, step]);

  const pieces = selection ? [...new Set(movesFrom(moves, selection.cell).map(({ piece }) => piece ?? ""))].filter(Boolean) : [];
  const turnSteps = view && ready ? openSteps(view, info) : 0;
  const over = view?.outcome ?? null;
  const text = view?.canonical ?? unplayable;
  const onward = `?text=${encodeURIComponent(text)}&game=${encodeURIComponent(line.game)}`;

  return (
    <div className="bench play">
      <h1 className="sr-only">Play</h1>
      <div className="stage">
        <Board
          svg={shown?.svg ?? null}
          label={`${info?.title ?? "Board"}${view ? `, ${view.side_to_move} to move` : ""}`}
          description={shown?.description ?? ""}
          names={names}
          origins={origins}
          selected={selection?.cell ?? null}
          targets={targets}
          onPick={pick}
          onDrop={drop}
          onEscape={() => {
            setSelection(null);
            setChoices(null);
          }}
        >
          {(answer.error || problem) && !shown && !standIn.pending ? (
            <div className="board-note">
              <EmptyDrawing />
              <p>There is no board to play on.</p>
            </div>
          ) : null}
        </Board>
        <div className="strip">
          <div className="strip-head controls">
            <span className="turn" data-testid="turn">
              {over ? (
                <>
                  <strong>{over.result}</strong> {over.reason}
                </>
              ) : view ? (
                turnOf(view)
              ) : answer.error || problem ? (
                "Nothing to play"
              ) : (
                "\u00a0"
              )}
            </span>
            <span className="spacer" />
            {view && ready
              ? view.actions.map((action) => (
                  <button key={action} type="button" className="primary" onClick={() => playText(action)}>
                    {capital(action)}
                  </button>
                ))
              : null}
            {turnSteps > 0 && line.at === line.moves.length && (
              <button type="button" className="quiet" onClick={() => undo(turnSteps)}>
                Cancel turn
              </button>
            )}
            <button type="button" className="quiet" disabled={!line.moves.length} onClick={() => undo()}>
              Undo
            </button>
            <button type="button" className="quiet" disabled={!line.undone.length} onClick={redo}>
              Redo
            </button>
            <button type="button" className="quiet" aria-pressed={flip} onClick={() => setFlip(!flip)}>
              Flip
            </button>
          </div>
          <div className="chooser-room">
            {choices ? (
              <div className="chooser" role="group" aria-label="Which move?">
                <span>Which move?</span>
                {choices.map((move) => (
                  <button key={move.move} type="button" className="chip" autoFocus={move === choices[0]} onClick={() => playText(move.move)}>
                    {move.move}
                  </button>
                ))}
              </div>
            ) : pieces.length > 1 ? (
              <div className="chooser" role="group" aria-label="Which piece?">
                <span>Take</span>
                <button type="button" className="chip" aria-pressed={!selection?.piece} onClick={() => setSelection({ cell: selection!.cell, piece: null })}>
                  any
                </button>
                {pieces.map((piece) => (
                  <button
                    key={piece}
                    type="button"
                    className="chip"
                    aria-pressed={selection?.piece === piece}
                    onClick={() => setSelection({ cell: selection!.cell, piece })}
                  >
                    <Piece symbol={piece} palette={palette} />
                  </button>
                ))}
              </div>
            ) : refused ? (
              <p className="refused" role="alert">
                {refused}
              </p>
            ) : view?.claims.length ? (
              <p className="muted">A draw can be claimed: {view.claims.join(", ")}.</p>
            ) : (
              <p className="muted">{view && !over && ready && !moves.length && !view.actions.length ? "No legal moves." : "\u00a0"}</p>
            )}
          </div>
          <div className="reading-line">
            <code>{text || "\u00a0"}</code>
            <CopyButton text={text} name="position text" />
          </div>
          <p className="onward">
            <Link href={`/${onward}`}>Open in the workbench</Link>
            <Link href={`/edit${onward}`}>Edit</Link>
          </p>
        </div>
      </div>

      <aside className="notes">
        {answer.error || (problem && !view) ? (
          <Notice>
            {answer.error ? sentence(answer.error) : problem}
            <span className="onward">
              {unplayable && <Link href={`/?text=${encodeURIComponent(unplayable)}&game=${encodeURIComponent(line.game)}`}>Correct the text</Link>}
              <button type="button" className="link" onClick={() => setLine(fresh(line.game, "", ""))}>
                Begin a new game
              </button>
            </span>
          </Notice>
        ) : null}
        <Section
          title="Moves"
          aside={
            <span className="steps">
              {STEPS.map(({ name, path, to }) => {
                const target = to(line.at, line.moves.length);
                return (
                  <button
                    key={name}
                    type="button"
                    className="step"
                    aria-label={name}
                    title={name}
                    disabled={target === line.at || target < 0 || target > line.moves.length}
                    onClick={() => step(target)}
                  >
                    <svg viewBox="0 0 16 16" aria-hidden="true">
                      <path d={path} />
                    </svg>
                  </button>
                );
              })}
            </span>
          }
        >
          <MoveList history={view?.history ?? []} at={line.at} onStep={step} result={view?.result ?? null} />
        </Section>

        <Section title="Game">
          <p className="onward">
            {(["new", "import", "export"] as const).map((name) => (
              <button key={name} type="button" className="link" aria-expanded={panel === name} onClick={() => setPanel(panel === name ? "" : name)}>
                {name === "new" ? "New game" : capital(name)}
              </button>
            ))}
          </p>
          {panel === "new" && (
            <NewGame
              games={games}
              current={line.game}
              onStart={(next) => {
                setPanel("");
                setRefused("");
                setLine(next);
                announce("New game.");
              }}
            />
          )}
          {panel === "import" && (
            <Import
              game={line.game}
              onRead={(next) => {
                setPanel("");
                setLine(next);
                announce(`Record read, ${next.moves.length} moves.`);
              }}
            />
          )}
          {panel === "export" && <Export record={view?.record ?? ""} name={line.game} />}
        </Section>
      </aside>
    </div>
  );
}

/** How many of the last moves are steps of a turn that is still open. */
export function openSteps(view: MatchView, info: GameInfo | undefined): number {
  const last = view.history[view.history.length - 1];
  if (!last || !view.actions.length || view.outcome) return 0;
  const plain = (words: string) => words.replace(/\s/g, "").toLowerCase();
  const mover = typeof last.player === "number" ? (info?.players[last.player] ?? "") : last.player;
  if (plain(mover) !== plain(view.side_to_move)) return 0;
  const before = [...view.history].reverse().findIndex((ply) => ply.player !== last.player || ply.number !== last.number);
  return before < 0 ? view.history.length : before;
}

function turnOf(view: MatchView): string {
  return view.moves.length || !view.actions.length ? `${view.side_to_move} to move` : `Next: ${view.actions.join(" or ")}`;
}

/** A piece as the palette draws it, or in its letters. */
function Piece({ symbol, palette }: { symbol: string; palette: readonly PaletteEntry[] }) {
  const entry = palette.find((one) => one.symbol === symbol);
  if (!entry) return symbol;
  return (
    <>
      <Thumb svg={entry.svg} />
      <span className="sr-only">{entry.label}</span>
    </>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

interface Row {
  number: number;
  plies: { ply: Played; index: number }[];
}

function rowsOf(history: readonly Played[]): Row[] {
  const rows: Row[] = [];
  history.forEach((ply, index) => {
    const row = rows[rows.length - 1];
    const last = row?.plies[row.plies.length - 1]?.ply;
    const numbered = history.some(({ number }) => number !== history[0]?.number);
    const sameTurn = last && last.player === ply.player && last.number === ply.number;
    const next = row && last && last.number === ply.number && (sameTurn || (numbered && row.plies[0]?.ply.player !== ply.player));
    const pair = row && !numbered && row.plies.length < 2;
    if (row && (next || pair)) row.plies.push({ ply, index });
    else rows.push({ number: numbered ? ply.number : rows.length + 1, plies: [{ ply, index }] });
  });
  return rows;
}

interface MoveListProps {
  history: readonly Played[];
  at: number;
  result: string | null;
  onStep: (at: number) => void;
}

function MoveList({ history, at, result, onStep }: MoveListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (!list.current) return;
    if (current) {
      const top = current.offsetTop - list.current.offsetTop;
      if (top < list.current.scrollTop || top > list.current.scrollTop + list.current.clientHeight - 30) {
        list.current.scrollTop = top - list.current.clientHeight / 2;
      }
    }
  }, [at, history]);
  if (!history.length) {
    return <p className="muted moves-empty">No moves yet. Click or drag on the board.</p>;
  }
  return (
    <ol className="moves" ref={list}>
      {rowsOf(history).map((row) => (
        <li key={row.plies[0]?.index}>
          <span className="move-number">{row.number}.</span>
          {row.plies.map(({ ply, index }) => (
            <button key={index} type="button" className="move" aria-current={index + 1 === at ? "step" : undefined} onClick={() => onStep(index + 1)}>
              {ply.move}
            </button>
          ))}
        </li>
      ))}
      {result && result !== "*" && <li className="move-result">{result}</li>}
    </ol>
  );
}

function NewGame({ games, current, onStart }: { games: readonly GameInfo[]; current: string; onStart: (line: Line) => void }) {
  const [game, setGame] = useState(current);
  const info = games.find(({ name }) => name === game);
  const [variant, setVariant] = useState("");
  const [seed, setSeed] = useState("");
  const [error, setError] = useState("");

  const begin = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const view = await api.newGame(game, {
        ...(variant ? { variant } : {}),
        ...(seed.trim() ? { seed: Number(seed) } : {}),
      });
      onStart(fresh(game, view.variant === info?.variants[0] ? "" : view.variant, view.canonical));
    } catch (failure) {
      setError(sentence(failure));
    }
  };

  return (
    <form className="panel" onSubmit={begin}>
      <label>
        Game
        <select value={game} onChange={(event) => (setGame(event.target.value), setVariant(""))}>
          {games.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {info && info.variants.length > 1 && (
        <label>
          Variant
          <select value={variant || info.variants[0]} onChange={(event) => setVariant(event.target.value)}>
            {info.variants.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        Seed <span className="muted">where chance decides</span>
        <input inputMode="numeric" pattern="[0-9]*" value={seed} onChange={(event) => setSeed(event.target.value)} />
      </label>
      <button type="submit" className="primary">
        Begin
      </button>
      {error && <p className="refused">{error}</p>}
    </form>
  );
}

function Import({ game, onRead }: { game: string; onRead: (line: Line) => void }) {
  const [record, setRecord] = useState("");
  const [errors, setErrors] = useState<string[]>([]);

  const read = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const answer = await readAny(record, game);
      const bad = answer.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
      if (!answer.ok || !answer.game) return setErrors(bad.length ? bad : ["This record cannot be read."]);
      onRead({
        ...fresh(answer.game, answer.variant ?? "", answer.start ?? ""),
        moves: answer.moves,
        at: answer.moves.length,
      });
    } catch (failure) {
      setErrors([sentence(failure)]);
    }
  };

  return (
    <form className="panel" onSubmit={read}>
      <label>
        Record
        <textarea
          className="record"
          rows={6}
          required
          spellCheck={false}
          value={record}
          onChange={(event) => (setRecord(event.target.value), setErrors([]))}
        />
      </label>
      <label className="file">
        <span>or a file</span>
        <input
          type="file"
          accept=".pgn,.txt,text/plain"
          onChange={async (event) => setRecord((await event.target.files?.[0]?.text()) ?? "")}
        />
      </label>
      <button type="submit" className="primary" disabled={!record.trim()}>
        Read
      </button>
      {errors.length > 0 && (
        <ul className="refused" role="alert">
          {errors.slice(0, 5).map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** A record says its game itself, or is one of the game on the board. */
async function readAny(record: string, game: string) {
  try {
    const answer = await api.readRecord(record);
    if (answer.ok) return answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
  }
  return api.readRecord(record, game);
}

function Export({ record, name }: { record: string; name: string }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${name || "game"}.pgn`;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div className="panel">
      <label>
        Record
        <textarea className="record" rows={8} readOnly value={record} onFocus={(event) => event.target.select()} />
      </label>
      <p className="onward">
        <CopyButton text={record} name="record" />
        <button type="button" className="quiet" onClick={save}>
          Save as file
        </button>
      </p>
    </div>
  );
}
