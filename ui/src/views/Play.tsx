import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { sentence } from "../api/client";
import type { MatchView, Move } from "../api/types";
import { Board } from "../board/Board";
import { captionsOf } from "../board/picture";
import type { TokenName } from "../board/tokens";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { CopyButton, EmptyDrawing, Link, Notice, Section } from "../shell/parts";
import { onwardQuery } from "./onward";
import { usePalette } from "./palette";
import { WhichMove, WhichPiece } from "./play/Chooser";
import { firstLine, fresh, keepLine, playedAgain, steppedTo, takenBack, withMove, type Line } from "./play/line";
import { MoveList, Steps } from "./play/MoveList";
import { actionsOf, movesFrom, movesOf, movesTo, openSteps, piecesOf, type Selection } from "./play/moves";
import { NewGame } from "./play/NewGame";
import { Export, Import } from "./play/Records";
import { useMatch } from "./play/useMatch";

const NO_MOVES: readonly Move[] = [];
const PANELS = { new: "New game", import: "Import", export: "Export" } as const;

export function Play({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [line, setLine] = useState(() => firstLine(games, query));
  const [flip, setFlip] = useState(false);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [choices, setChoices] = useState<Move[] | null>(null);
  const [refused, setRefused] = useState("");
  const [panel, setPanel] = useState<"" | keyof typeof PANELS>("");
  const info = games.find(({ name }) => name === line.game);

  const match = useMatch(line, theme, flip);
  const { view, ready, problem, unplayable } = match;
  const moves = ready && view ? view.moves : NO_MOVES;
  const shown = view ?? match.reading?.position ?? null;
  const { names, palette } = usePalette(line.game || null, games, theme);

  useEffect(() => keepLine(line), [line]);

  useEffect(() => {
    setSelection(null);
    setChoices(null);
  }, [match.question]);

  const lastGood = useRef(line);
  useEffect(() => {
    if (ready) lastGood.current = line;
    if (problem && line.moves.length && lastGood.current !== line) {
      setRefused(problem);
      setLine(lastGood.current);
    }
  }, [line, problem, ready]);

  const change = useCallback((next: (now: Line) => Line) => {
    setRefused("");
    setLine(next);
  }, []);

  const play = (move: string) => {
    change((now) => withMove(now, move));
    announce(`${move} played.`);
  };
  const step = useCallback((at: number) => change((now) => steppedTo(now, at)), [change]);
  const undo = (count = 1) => {
    change((now) => takenBack(now, count));
    announce("Taken back.");
  };
  const begin = (next: Line, words: string) => {
    setPanel("");
    change(() => next);
    announce(words);
  };

  /** Whether a move was made; where several fit, the visitor is asked. */
  const playOrChoose = (candidates: Move[]): boolean => {
    const [only] = candidates;
    if (candidates.length > 1) setChoices(candidates);
    else if (only) play(only.move);
    return candidates.length === 1;
  };

  const selected = useMemo(() => (selection ? movesOf(moves, selection) : NO_MOVES), [moves, selection]);
  const targets = useMemo(() => new Set(selected.flatMap(({ to }) => (to ? [to] : []))), [selected]);
  const origins = useMemo(() => new Set(moves.flatMap(({ from }) => (from ? [from] : []))), [moves]);

  const pick = (cell: string, token: TokenName | null, dragging: boolean) => {
    setChoices(null);
    setRefused("");
    if (!dragging && selection) {
      const fit = movesTo(selected, cell);
      if (fit.length) return void playOrChoose(fit);
      if (selection.cell === cell && selection.piece === (token?.symbol ?? null)) return setSelection(null);
    }
    const here = movesFrom(moves, cell);
    if (!here.length) return setSelection(null);
    const piece = token && here.some((move) => move.piece === token.symbol) ? token.symbol : null;
    setSelection({ cell, piece });
    if (!dragging) announce(`${cell} selected, ${movesOf(moves, { cell, piece }).length} moves.`);
  };

  const drop = (from: string, to: string): boolean => {
    const fit = movesTo(movesOf(moves, { cell: from, piece: selection?.piece ?? null }), to);
    if (!fit.length) setSelection(null);
    return playOrChoose(fit);
  };

  useStepKeys(line, step);

  const pieces = selection ? piecesOf(moves, selection.cell) : [];
  const turnSteps = view && ready ? openSteps(view, info) : 0;
  const text = view?.canonical ?? unplayable;
  const failed = Boolean(match.error || problem);
  const onward = onwardQuery(text, line.game, line.variant);

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
          captions={false}
          onPick={pick}
          onDrop={drop}
          onEscape={() => {
            setSelection(null);
            setChoices(null);
          }}
        >
          {failed && !shown && match.settled ? (
            <div className="forsyth-note">
              <EmptyDrawing />
              <p>There is no board to play on.</p>
            </div>
          ) : null}
        </Board>
        <div className="strip">
          <div className="strip-head controls">
            <Turn view={view} failed={failed} />
            <span className="spacer" />
            {view && ready
              ? actionsOf(view, turnSteps).map((action) => (
                  <button key={action} type="button" className="primary" onClick={() => play(action)}>
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
            <button type="button" className="quiet" disabled={!line.undone.length} onClick={() => change(playedAgain)}>
              Redo
            </button>
            <button type="button" className="quiet" aria-pressed={flip} onClick={() => setFlip(!flip)}>
              Flip
            </button>
          </div>
          <div className="chooser-room">
            {choices ? (
              <WhichMove moves={choices} onChoose={({ move }) => play(move)} />
            ) : selection && pieces.length > 1 ? (
              <WhichPiece
                pieces={pieces}
                chosen={selection.piece}
                palette={palette}
                onChoose={(piece) => setSelection({ cell: selection.cell, piece })}
              />
            ) : refused ? (
              <p className="refused" role="alert">
                {refused}
              </p>
            ) : (
              <p className="muted">{view && ready ? remark(view) : "\u00a0"}</p>
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
        {match.error ? <Notice onRetry={match.retry}>{sentence(match.error)}</Notice> : null}
        {problem && !view ? (
          <Notice>
            {problem}
            <span className="onward">
              {unplayable && <Link href={`/${onward}`}>Correct the text</Link>}
              <button type="button" className="link" onClick={() => change(() => fresh(line.game, "", ""))}>
                Begin a new game
              </button>
            </span>
          </Notice>
        ) : null}
        <Section title="Moves" aside={<Steps at={line.at} end={line.moves.length} onStep={step} />}>
          <MoveList history={view?.history ?? []} at={line.at} onStep={step} result={view?.result ?? null} />
        </Section>

        <Section title="Game">
          {info?.not_judged.length ? (
            <p className="muted" data-testid="not-judged">
              Not judged here: {info.not_judged.join(", ")}.
            </p>
          ) : null}
          <p className="onward">
            {(Object.keys(PANELS) as (keyof typeof PANELS)[]).map((name) => (
              <button
                key={name}
                type="button"
                className="link"
                aria-expanded={panel === name}
                onClick={() => setPanel(panel === name ? "" : name)}
              >
                {PANELS[name]}
              </button>
            ))}
          </p>
          {panel === "new" && <NewGame games={games} current={line.game} onStart={(next) => begin(next, "New game.")} />}
          {panel === "import" && (
            <Import game={line.game} onRead={(next) => begin(next, `Record read, ${next.moves.length} moves.`)} />
          )}
          {panel === "export" && <Export record={view?.record ?? ""} name={line.game} />}
        </Section>
      </aside>
    </div>
  );
}

/** The arrow keys lead through the game wherever nothing else wants them. */
function useStepKeys(line: Line, step: (at: number) => void): void {
  const end = line.moves.length;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (target.closest("input, textarea, select, [role=application]")) return;
      const keys: Record<string, number> = { ArrowLeft: line.at - 1, ArrowRight: line.at + 1, Home: 0, End: end };
      const at = keys[event.key];
      if (at === undefined) return;
      step(at);
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [end, line.at, step]);
}

/** Who moves, in the words below the drawing, or how it ended. */
function Turn({ view, failed }: { view: MatchView | null; failed: boolean }) {
  const [said = view ? `${view.side_to_move} to move` : ""] = captionsOf(view?.svg);
  return (
    <span className="turn" data-testid="turn">
      {view?.outcome ? (
        <>
          <strong>{view.outcome.result}</strong> {view.outcome.reason}
        </>
      ) : (
        said || (failed ? "Nothing to play" : "\u00a0")
      )}
    </span>
  );
}

/** What else is to be known of a position. */
function remark(view: MatchView): string {
  if (view.claims.length) return `A draw can be claimed: ${view.claims.join(", ")}.`;
  if (!view.outcome && !view.moves.length && !view.actions.length) return "No legal moves.";
  return captionsOf(view.svg).slice(1).join(" · ") || "\u00a0";
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
