import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api, isAbort, errorMessage } from "../api/client";
import type { IllegalMove, MatchView, Move, Token } from "../api/types";
import { Board } from "../board/Board";
import { contentOf, contentsByCell, cellName } from "../board/cells";
import { groupOf } from "../board/geometry";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { receivedText } from "../shell/handover";
import { CopyButton, EmptyDrawing, Link, Notice, Section } from "../shell/parts";
import { drawingChoices, useSettings } from "../shell/settings";
import { playSound } from "../shell/sound";
import { positionQuery } from "./queries";
import { PlayedHere } from "./PlayedHere";
import { Share } from "./Share";
import { usePalette } from "./palette";
import { Captured } from "./play/Captured";
import { MoveChooser, PieceChooser } from "./play/Chooser";
import { Earlier } from "./play/Earlier";
import { End, playersOf } from "./play/End";
import { Export } from "./play/Export";
import { Import } from "./play/Import";
import { Legend } from "./play/Legend";
import { Moves } from "./play/Moves";
import { availableActions, pointBadges, movesFrom, movesOfSelection, movesTo, countOpenSteps, movablePieces, nextPlace, matchTypedMove, addOrigins, type Selection } from "./play/moves";
import { NewGame } from "./play/NewGame";
import { OverlaySwitches, useOverlays } from "./play/Overlays";
import { Steps } from "./play/Steps";
import { confirmLine, newGame, goToPath, countMoves, stepTo, playMove, type Game } from "./play/tree";
import { TypedMove } from "./play/TypedMove";
import { useGame } from "./play/useGame";
import { useInput } from "./play/useInput";
import { useMatch } from "./play/useMatch";

const NO_MOVES: readonly Move[] = [];
const NO_TOKENS: readonly Token[] = [];
const PANELS = { new: "New game", earlier: "Earlier games", import: "Import", export: "Export" } as const;

/** The reason why a move was rejected, and the squares involved. */
type Refusal = Pick<IllegalMove, "message" | "squares">;
const NO_REFUSAL: Refusal = { message: "", squares: [] };

/** An action of the visitor on the board. */
type Input =
  | { kind: "pick"; cell: string; token: Token | null }
  | { kind: "drop"; from: string; to: string; token: Token | null }
  | { kind: "type"; text: string };

/** The view *Play*: play, annotate, import and export games. */
export function Play({ games, index, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const settings = useSettings();
  const { game, setGame, startGame: replaceGame } = useGame(games, query);
  const [flip, setFlip] = useState(false);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [choices, setChoices] = useState<Move[] | null>(null);
  const [refusal, setRefusal] = useState<Refusal>(NO_REFUSAL);
  const [pointedCell, setPointedCell] = useState<string | null>(null);
  const [panel, setPanel] = useState<"" | keyof typeof PANELS>(() => (receivedText() === null ? "" : "import"));
  const info = games.find(({ name }) => name === game.game);

  const match = useMatch(game, { theme, flip, ...drawingChoices(settings, game.game) });
  const { view, isReady, lineError, invalidStart } = match;
  const shownPosition = view ?? match.startReading?.position ?? null;
  const moves = useMemo(() => (isReady && view ? addOrigins(view.moves, view.scene) : NO_MOVES), [isReady, view]);
  const contents = useMemo(() => contentsByCell(shownPosition?.scene), [shownPosition]);
  const palette = usePalette(game.game || null, games, theme);

  const changeGame = useCallback(
    (update: (current: Game) => Game) => {
      setRefusal(NO_REFUSAL);
      setPointedCell(null);
      setSelection(null);
      setChoices(null);
      setGame(update);
    },
    [setGame],
  );

  useServiceAnswers(match, game, setGame, useCallback((message) => setRefusal({ message, squares: [] }), []));
  useMoveSounds(isReady ? view : null, settings.sounds);

  const commitMove = (move: string): boolean => {
    changeGame((current) => playMove(current, move, view && isReady ? nextPlace(view, move) : {}));
    announce(`${move} played.`);
    return true;
  };
  const goToStep = useCallback((at: number) => changeGame((current) => stepTo(current, at)), [changeGame]);
  const startGame = (next: Game, message: string, key?: string) => {
    setPanel("");
    input.clearQueue();
    setRefusal(NO_REFUSAL);
    setPointedCell(null);
    setSelection(null);
    setChoices(null);
    replaceGame(next, key);
    announce(message);
    // On a small screen the panel that starts a game is far below the board.
    const top = stage.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) stage.current?.scrollIntoView();
  };

  /** Play the only candidate, or let the visitor choose among several. Return whether a move was played. */
  const playOrChoose = (candidates: Move[]): boolean => {
    const [onlyMove] = candidates;
    if (candidates.length > 1) setChoices(candidates);
    else if (onlyMove) commitMove(onlyMove.move);
    return candidates.length === 1;
  };

  /** Let the service parse a move that is not listed, and play it. Show the error unless `silent`. Return whether a move was played. */
  const readAndPlay = async (typedMove: string, silent = false): Promise<boolean> => {
    if (!view) return false;
    const positionText = view.canonical;
    try {
      const hint = { game: game.game, ...(view.variant ? { variant: view.variant } : {}) };
      const answer = await api.readMove(positionText, hint, typedMove);
      if (latest.current?.canonical !== positionText) return false;
      if (answer.move) return commitMove(answer.move);
      if (!silent) refuse(answer.why, answer.error);
    } catch (error) {
      if (!silent && !isAbort(error)) setRefusal({ message: errorMessage(error), squares: [] });
    }
    return false;
  };

  /** Show why a move is rejected. If the game gives no reason, show `fallback`. */
  const refuse = (why: IllegalMove | null, fallback: string) => {
    const newRefusal = why ? { message: toSentence(why), squares: why.squares } : { message: fallback, squares: [] };
    setRefusal(newRefusal);
  };

  /** Ask the service why there is no move between two cells, and show its reason. */
  const showReason = async (from: string, to: string, piece: string | null) => {
    if (!view) return;
    const positionText = view.canonical;
    try {
      const hint = { game: game.game, ...(view.variant ? { variant: view.variant } : {}) };
      const { why } = await api.explain(positionText, hint, from, to, piece ?? "");
      if (latest.current?.canonical === positionText && why) refuse(why, "");
    } catch (error) {
      if (!isAbort(error)) setRefusal({ message: errorMessage(error), squares: [] });
    }
  };

  const selectedMoves = useMemo(() => (selection ? movesOfSelection(moves, selection) : NO_MOVES), [moves, selection]);
  const targets = useMemo(() => new Set(selectedMoves.flatMap(({ to }) => (to ? [to] : []))), [selectedMoves]);
  const origins = useMemo(
    () => new Set(isReady ? moves.flatMap(({ from }) => (from ? [from] : [])) : contents.keys()),
    [contents, moves, isReady],
  );
  const checked = useMemo(() => new Set(shownPosition?.checked), [shownPosition]);
  const movingCells = useMemo(() => cellsMovedAlong(selection, contents), [contents, selection]);

  const refusedSquares = useMemo(() => new Set(refusal.squares), [refusal]);
  const badges = useMemo(() => pointBadges(selectedMoves), [selectedMoves]);
  const overlays = useOverlays(isReady ? view : null, settings, selection?.cell ?? pointedCell);

  const stage = useRef<HTMLDivElement>(null);
  const latest = useRef(view);
  latest.current = view;

  const ownerOf = (cell: string) => contentOf(contents, cell).tokens[0]?.owner;

  const onPickCell = (cell: string, token: Token | null) => {
    setChoices(null);
    setRefusal(NO_REFUSAL);
    setPointedCell(cell);
    if (selection) {
      const matchingMoves = movesTo(selectedMoves, cell);
      if (matchingMoves.length) return playOrChoose(matchingMoves);
      if (selection.cell === cell && selection.piece === (token?.symbol ?? null)) return selectCell(null);
      // A move onto one's own piece: some notations write castling this way.
      const targetOwner = ownerOf(cell);
      if (cell !== selection.cell && targetOwner && targetOwner === ownerOf(selection.cell)) void readAndPlay(selection.cell + cell, true);
      else if (!selectionOf(moves, cell, token)) void showReason(selection.cell, cell, selection.piece);
    }
    return selectCell(selectionOf(moves, cell, token) ?? selectImmobile(cell), true);
  };

  /** Select a piece of the side to move that has no move, so that the visitor can ask why. Return null for other cells. */
  const selectImmobile = (cell: string): Selection | null => {
    const owner = ownerOf(cell);
    return view && owner && owner.toLowerCase() === view.side_to_move.toLowerCase() && !view.outcome ? { cell, piece: null } : null;
  };

  const selectCell = (newSelection: Selection | null, isAnnounced = false): boolean => {
    setSelection(newSelection);
    if (newSelection && isAnnounced) announce(`${cellName(contents, newSelection.cell)} selected, ${movesOfSelection(moves, newSelection).length} moves.`);
    return false;
  };

  const onDrop = (from: string, to: string, token: Token | null): boolean => {
    const origin = selectionOf(moves, from, token);
    const matchingMoves = origin ? movesTo(movesOfSelection(moves, origin), to) : [];
    if (matchingMoves.length) return playOrChoose(matchingMoves);
    setSelection(null);
    const isOntoOwnPiece = origin && ownerOf(to) && ownerOf(from) === ownerOf(to);
    const attempt = isOntoOwnPiece ? readAndPlay(from + to, true) : Promise.resolve(false);
    void attempt.then((isPlayed) => (isPlayed ? undefined : showReason(from, to, origin?.piece ?? token?.symbol ?? null)));
    return false;
  };

  const handleInput = (newInput: Input): boolean => {
    if (newInput.kind === "pick") return onPickCell(newInput.cell, newInput.token);
    if (newInput.kind === "drop") return onDrop(newInput.from, newInput.to, newInput.token);
    const knownMove = matchTypedMove(moves, newInput.text);
    if (moves.some(({ move }) => move === knownMove) || view?.actions.includes(knownMove)) return commitMove(knownMove);
    void readAndPlay(newInput.text);
    return false;
  };
  const input = useInput<Input>(isReady, handleInput);
  const heldToken = useRef<Token | null>(null);

  const onPick = (cell: string, token: Token | null, dragging: boolean) => {
    heldToken.current = token;
    if (!dragging) void input.submitInput({ kind: "pick", cell, token });
    else if (isReady) setSelection(selectionOf(moves, cell, token));
  };

  const onKey = useStepKeys(game, goToStep);

  const pieces = selection ? movablePieces(moves, selection.cell) : [];
  const openSteps = view && isReady ? countOpenSteps(view) : 0;
  const isStuck = Boolean(view && isReady && !view.outcome && !view.moves.length && openSteps && !availableActions(view, openSteps).length);
  const reason = view && isReady && view.unfinished ? `: ${view.unfinished.message}` : "";
  const text = view?.canonical ?? invalidStart;
  const hasFailed = Boolean(match.error || lineError);
  const opponents = playersOf(info, game.tags);
  const onwardQuery = positionQuery(text, game.game, game.variant);
  const question = choices?.[0]?.to ? { cell: choices[0].to, choices: <MoveChooser key={choices.map(({ move }) => move).join()} moves={choices} palette={palette} onChoose={({ move }) => commitMove(move)} /> } : null;

  return (
    <div className="bench play">
      <h1 className="sr-only">Play</h1>
      <div ref={stage} className="stage" aria-busy={!match.isSettled}>
        <Board
          drawing={shownPosition}
          label={`${info?.title ?? "Board"}${view ? `, ${view.side_to_move} to move` : ""}`}
          description={shownPosition?.description ?? ""}
          origins={origins}
          selected={selection?.cell ?? null}
          targets={targets}
          movingCells={movingCells}
          checked={checked}
          highlighted={refusedSquares}
          badges={badges}
          overlays={overlays}
          captions={false}
          coordinates={settings.coordinates}
          animated={settings.animation}
          question={question}
          onPick={onPick}
          onDrop={(from, to) => input.submitInput({ kind: "drop", from, to, token: heldToken.current })}
          onKey={onKey}
          onEscape={() => {
            setRefusal(NO_REFUSAL);
            setPointedCell(null);
            setSelection(null);
            setChoices(null);
          }}
        >
          {hasFailed && !shownPosition && match.isSettled ? (
            <div className="forsyth-note">
              <EmptyDrawing />
              <p>This position cannot be played.</p>
            </div>
          ) : null}
        </Board>
        <div className="strip">
          {view && isReady && view.outcome ? (
            <End view={view} info={info} tags={game.tags} onNew={() => startGame(newGame(game.game, game.variant, game.start), "New game.")} />
          ) : null}
          <div className="strip-head controls">
            <Turn view={view} hasFailed={hasFailed} />
            <span className="spacer" />
            {view && isReady
              ? availableActions(view, openSteps).map((action) => (
                  <button key={action} type="button" className="primary" onClick={() => commitMove(action)}>
                    {capitalize(action)}
                  </button>
                ))
              : null}
            {openSteps > 0 && (
              <button type="button" className={isStuck ? "primary" : "quiet"} onClick={() => goToStep(game.playedCount - openSteps)}>
                Cancel turn
              </button>
            )}
            <button type="button" className="quiet" disabled={!game.playedCount} onClick={() => (goToStep(game.playedCount - 1), announce("Move undone."))}>
              Undo
            </button>
            <button type="button" className="quiet" disabled={game.playedCount >= game.path.length} onClick={() => goToStep(game.playedCount + 1)}>
              Redo
            </button>
            <button type="button" className="quiet" aria-pressed={flip} onClick={() => setFlip(!flip)}>
              Flip
            </button>
          </div>
          <div className="chooser-room">
            {selection && pieces.length > 1 ? (
              <PieceChooser
                pieces={pieces}
                tokens={contentOf(contents, selection.cell).tokens}
                chosen={selection.piece}
                palette={palette}
                onChoose={(piece) => setSelection({ cell: selection.cell, piece })}
              />
            ) : refusal.message ? (
              <p className="refused" role="alert">
                {refusal.message}
              </p>
            ) : isStuck ? (
              <p className="refused" role="alert">
                This turn cannot be finished{reason}. Cancel it.
              </p>
            ) : reason ? (
              <p className="muted" data-testid="unfinished">
                This turn cannot end yet{reason}.
              </p>
            ) : (
              <p className="muted">{view && isReady ? remarkOn(view) : "\u00a0"}</p>
            )}
          </div>
          {view && isReady ? <OverlaySwitches view={view} settings={settings} /> : null}
          <Captured tokens={view?.captured ?? NO_TOKENS} palette={palette} />
          <TypedMove onType={(typedMove) => void input.submitInput({ kind: "type", text: typedMove })} />
          <div className="reading-line">
            <code>{text || "\u00a0"}</code>
            <CopyButton text={text} name="position text" />
          </div>
          <p className="onward">
            <Link href={`/${onwardQuery}`}>Open in the workbench</Link>
            <Link href={`/edit${onwardQuery}`}>Edit</Link>
            <Share text={text} hint={{ game: game.game, variant: view?.variant || game.variant }} flip={flip} theme={theme} />
          </p>
        </div>
      </div>

      <aside className="notes">
        {match.error ? <Notice onRetry={match.retry}>{errorMessage(match.error)}</Notice> : null}
        {lineError && !view ? (
          <Notice>
            {lineError}
            <span className="onward">
              {invalidStart && <Link href={`/${onwardQuery}`}>Correct the text</Link>}
              <button type="button" className="link" onClick={() => startGame(newGame(game.game, "", ""), "New game.")}>
                Begin a new game
              </button>
            </span>
          </Notice>
        ) : null}
        <Section title="Moves" aside={<Steps index={game.playedCount} end={game.path.length} onStep={goToStep} />}>
          {opponents && (
            <p className="opponents" data-testid="opponents">
              {opponents}
            </p>
          )}
          <Moves game={game} result={game.result ?? view?.result ?? null} onGo={(path) => changeGame((current) => goToPath(current, path))} onChange={changeGame} />
        </Section>

        <PlayedHere index={index} game={view?.game ?? null} text={isReady && view ? view.canonical : null} onPlay={commitMove} />

        <Legend palette={palette} />

        <Section title="Game">
          {info?.not_judged.length ? (
            <p className="muted" data-testid="not-judged">
              Rules that are not checked: {info.not_judged.join(", ")}.
            </p>
          ) : null}
          <p className="onward panels">
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
          {panel === "new" && <NewGame games={games} current={game.game} onStart={(next) => startGame(next, "New game.")} />}
          {panel === "earlier" && <Earlier games={games} onOpen={(next, key) => startGame(next, "Game opened.", key)} />}
          {panel === "import" && (
            <Import games={games} game={game.game} onRead={(next) => startGame(next, `Record read, ${countMoves(next.children)} moves.`)} />
          )}
          {panel === "export" && <Export game={game} />}
        </Section>
      </aside>
    </div>
  );
}

/** Return the selection for a cell: the piece of `token` if it can move alone, else the whole cell. Null if nothing moves. */
function selectionOf(moves: readonly Move[], cell: string, token: Token | null): Selection | null {
  const movesOfCell = movesFrom(moves, cell);
  if (!movesOfCell.length) return null;
  return { cell, piece: token && movesOfCell.some((move) => move.piece === token.symbol) ? token.symbol : null };
}

/** Return the cells of the group whose tokens equal the selected one: they move with it. */
function cellsMovedAlong(selection: Selection | null, contents: ReturnType<typeof contentsByCell>): ReadonlySet<string> {
  if (!selection?.piece) return new Set();
  const { cell, piece } = selection;
  const equalCells = [...contents].flatMap(([id, { tokens }]) =>
    groupOf(id) === groupOf(cell) && tokens.some(({ symbol }) => symbol === piece) ? [id] : [],
  );
  return new Set(equalCells.length > 1 ? equalCells : []);
}

/** Copy the service's answers into the game tree. Remove a move that the service rejects, and report why. */
function useServiceAnswers(
  { view, isReady, lineError: problem }: ReturnType<typeof useMatch>,
  game: Game,
  setGame: (next: (current: Game) => Game) => void,
  refuse: (problem: string) => void,
): void {
  const lastConfirmed = useRef<Game | null>(null);
  useEffect(() => {
    if (isReady && view) {
      const next = confirmLine(game, view.history);
      lastConfirmed.current = next;
      setGame((current) => (current === game ? next : current));
    }
    const lastGame = lastConfirmed.current;
    if (!problem || !lastGame || lastGame === game) return;
    refuse(problem);
    setGame((current) => (current === game ? lastGame : current));
  }, [game, problem, isReady, refuse, setGame, view]);
}

/** Play a sound for each step forward if sounds are switched on. */
function useMoveSounds(view: MatchView | null, isEnabled: boolean): void {
  const lastIndex = useRef<number | null>(null);
  useEffect(() => {
    if (!view) return;
    const forward = lastIndex.current !== null && view.at === lastIndex.current + 1;
    lastIndex.current = view.at;
    if (!isEnabled || !forward) return;
    playSound(view.outcome ? "end" : view.history[view.at - 1]?.captured ? "capture" : "move");
  }, [view, isEnabled]);
}

/** Step through the game with the arrow keys, Home and End. Return a handler that reports whether it used a key. */
function useStepKeys(game: Game, step: (at: number) => void) {
  const onKey = (event: { key: string; preventDefault: () => void }): boolean => {
    const keys: Record<string, number> = { ArrowLeft: game.playedCount - 1, ArrowRight: game.playedCount + 1, Home: 0, End: game.path.length };
    const at = keys[event.key];
    if (at === undefined) return false;
    step(at);
    event.preventDefault();
    return true;
  };
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (!target.closest("input, textarea, select, [role=application]")) latest.current(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return onKey;
}

/** The side to move or the result, from the captions of the drawing. */
function Turn({ view, hasFailed }: { view: MatchView | null; hasFailed: boolean }) {
  const [caption = view ? `${view.side_to_move} to move` : ""] = view?.scene.captions ?? [];
  const message = view?.outcome ? view.outcome.reason : [caption, view?.checked.length && "check"].filter(Boolean).join(" · ");
  return (
    <span className="turn" data-testid="turn">
      {message || (hasFailed ? "No game" : "\u00a0")}
    </span>
  );
}

/** Return a remark on the position: claims, missing moves, or further captions. */
function remarkOn(view: MatchView): string {
  if (view.claims.length) return `A draw can be claimed: ${view.claims.join(", ")}.`;
  if (!view.outcome && !view.moves.length && !view.actions.length) return "No legal moves.";
  return view.scene.captions.slice(1).join(" · ") || "\u00a0";
}

/** Format the reason for an illegal move as a sentence. */
function toSentence({ message }: IllegalMove): string {
  return `${capitalize(message)}.`;
}

/** Capitalize the first letter. */
function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
