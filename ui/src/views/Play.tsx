import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api, isAbort, sentence } from "../api/client";
import type { Hindrance, MatchView, Move, Token } from "../api/types";
import { Board } from "../board/Board";
import { contentOf, contentsOf, nameOf } from "../board/cells";
import { groupOf } from "../board/geometry";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { handed } from "../shell/handover";
import { CopyButton, EmptyDrawing, Link, Notice, Section } from "../shell/parts";
import { lookOf, useSettings } from "../shell/settings";
import { sound } from "../shell/sound";
import { onwardQuery } from "./onward";
import { PlayedHere } from "./PlayedHere";
import { Share } from "./Share";
import { usePalette } from "./palette";
import { Captured } from "./play/Captured";
import { WhichMove, WhichPiece } from "./play/Chooser";
import { Earlier } from "./play/Earlier";
import { End, opponents } from "./play/End";
import { Export } from "./play/Export";
import { Import } from "./play/Import";
import { Legend } from "./play/Legend";
import { Moves } from "./play/Moves";
import { actionsOf, badgesOf, movesFrom, movesOf, movesTo, openSteps, piecesOf, placeOfNext, typedMove, withOrigins, type Selection } from "./play/moves";
import { NewGame } from "./play/NewGame";
import { OverlaySwitches, useOverlays } from "./play/Overlays";
import { Steps } from "./play/Steps";
import { confirmed, fresh, goneTo, sizeOf, steppedTo, withMove, type Game } from "./play/tree";
import { TypedMove } from "./play/TypedMove";
import { useGame } from "./play/useGame";
import { useInput } from "./play/useInput";
import { useMatch } from "./play/useMatch";

const NO_MOVES: readonly Move[] = [];
const NO_TOKENS: readonly Token[] = [];
const PANELS = { new: "New game", earlier: "Earlier games", import: "Import", export: "Export" } as const;

/** Why a move was not made, and the places that matter. */
type Refusal = Pick<Hindrance, "message" | "squares">;
const NO_REFUSAL: Refusal = { message: "", squares: [] };

/** What a visitor does to the board. */
type Input =
  | { kind: "pick"; cell: string; token: Token | null }
  | { kind: "drop"; from: string; to: string; token: Token | null }
  | { kind: "type"; text: string };

export function Play({ games, index, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const settings = useSettings();
  const { game, setGame, begin } = useGame(games, query);
  const [flip, setFlip] = useState(false);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [choices, setChoices] = useState<Move[] | null>(null);
  const [refused, setRefused] = useState<Refusal>(NO_REFUSAL);
  const [pointed, setPointed] = useState<string | null>(null);
  const [panel, setPanel] = useState<"" | keyof typeof PANELS>(() => (handed() === null ? "" : "import"));
  const info = games.find(({ name }) => name === game.game);

  const match = useMatch(game, { theme, flip, ...lookOf(settings, game.game) });
  const { view, ready, problem, unplayable } = match;
  const shown = view ?? match.reading?.position ?? null;
  const moves = useMemo(() => (ready && view ? withOrigins(view.moves, view.scene) : NO_MOVES), [ready, view]);
  const contents = useMemo(() => contentsOf(shown?.scene), [shown]);
  const palette = usePalette(game.game || null, games, theme);

  const change = useCallback(
    (next: (now: Game) => Game) => {
      setRefused(NO_REFUSAL);
      setPointed(null);
      setSelection(null);
      setChoices(null);
      setGame(next);
    },
    [setGame],
  );

  useAnswers(match, game, setGame, useCallback((message) => setRefused({ message, squares: [] }), []));
  useSounds(ready ? view : null, settings.sounds);

  const play = (move: string): boolean => {
    change((now) => withMove(now, move, view && ready ? placeOfNext(view, move) : {}));
    announce(`${move} played.`);
    return true;
  };
  const step = useCallback((at: number) => change((now) => steppedTo(now, at)), [change]);
  const start = (next: Game, words: string, key?: string) => {
    setPanel("");
    input.drop();
    setRefused(NO_REFUSAL);
    setPointed(null);
    setSelection(null);
    setChoices(null);
    begin(next, key);
    announce(words);
    // On a small screen the panel that began it stands far below the board.
    const top = stage.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) stage.current?.scrollIntoView();
  };

  /** Whether a move was made; where several fit, the visitor is asked. */
  const playOrChoose = (candidates: Move[]): boolean => {
    const [only] = candidates;
    if (candidates.length > 1) setChoices(candidates);
    else if (only) play(only.move);
    return candidates.length === 1;
  };

  /** Ask the service about a move that is none of those listed; what it means by it is played. */
  const ask = async (words: string, silent = false): Promise<boolean> => {
    if (!view) return false;
    const asked = view.canonical;
    try {
      const told = { game: game.game, ...(view.variant ? { variant: view.variant } : {}) };
      const answer = await api.readMove(asked, told, words);
      if (latest.current?.canonical !== asked) return false;
      if (answer.move) return play(answer.move);
      if (!silent) refuse(answer.why, answer.error);
    } catch (error) {
      if (!silent && !isAbort(error)) setRefused({ message: sentence(error), squares: [] });
    }
    return false;
  };

  /** Say why a move is not made; what the game does not know, in the words given. */
  const refuse = (why: Hindrance | null, otherwise: string) => {
    const said = why ? { message: sentenceOf(why), squares: why.squares } : { message: otherwise, squares: [] };
    setRefused(said);
  };

  /** Ask the service why nothing goes from one place to another, and say it. */
  const askWhy = async (from: string, to: string, piece: string | null) => {
    if (!view) return;
    const asked = view.canonical;
    try {
      const told = { game: game.game, ...(view.variant ? { variant: view.variant } : {}) };
      const { why } = await api.explain(asked, told, from, to, piece ?? "");
      if (latest.current?.canonical === asked && why) refuse(why, "");
    } catch (error) {
      if (!isAbort(error)) setRefused({ message: sentence(error), squares: [] });
    }
  };

  const selected = useMemo(() => (selection ? movesOf(moves, selection) : NO_MOVES), [moves, selection]);
  const targets = useMemo(() => new Set(selected.flatMap(({ to }) => (to ? [to] : []))), [selected]);
  const origins = useMemo(
    () => new Set(ready ? moves.flatMap(({ from }) => (from ? [from] : [])) : contents.keys()),
    [contents, moves, ready],
  );
  const checked = useMemo(() => new Set(shown?.checked), [shown]);
  const taken = useMemo(() => takenAlong(selection, contents), [contents, selection]);

  const hindering = useMemo(() => new Set(refused.squares), [refused]);
  const badges = useMemo(() => badgesOf(selected), [selected]);
  const overlays = useOverlays(ready ? view : null, settings, selection?.cell ?? pointed);

  const stage = useRef<HTMLDivElement>(null);
  const latest = useRef(view);
  latest.current = view;

  const ownerOf = (cell: string) => contentOf(contents, cell).tokens[0]?.owner;

  const pick = (cell: string, token: Token | null) => {
    setChoices(null);
    setRefused(NO_REFUSAL);
    setPointed(cell);
    if (selection) {
      const fit = movesTo(selected, cell);
      if (fit.length) return playOrChoose(fit);
      if (selection.cell === cell && selection.piece === (token?.symbol ?? null)) return select(null);
      // Onto one's own man: some readers mean castling by it.
      const own = ownerOf(cell);
      if (cell !== selection.cell && own && own === ownerOf(selection.cell)) void ask(selection.cell + cell, true);
      else if (!selectionOf(moves, cell, token)) void askWhy(selection.cell, cell, selection.piece);
    }
    return select(selectionOf(moves, cell, token) ?? blockedOn(cell), true);
  };

  /** What the mover has on a cell can be asked about although it has no move. */
  const blockedOn = (cell: string): Selection | null => {
    const owner = ownerOf(cell);
    return view && owner && owner.toLowerCase() === view.side_to_move.toLowerCase() && !view.outcome ? { cell, piece: null } : null;
  };

  const select = (next: Selection | null, say = false): boolean => {
    setSelection(next);
    if (next && say) announce(`${nameOf(contents, next.cell)} selected, ${movesOf(moves, next).length} moves.`);
    return false;
  };

  const drop = (from: string, to: string, token: Token | null): boolean => {
    const origin = selectionOf(moves, from, token);
    const fit = origin ? movesTo(movesOf(moves, origin), to) : [];
    if (fit.length) return playOrChoose(fit);
    setSelection(null);
    const onOwn = origin && ownerOf(to) && ownerOf(from) === ownerOf(to);
    const asked = onOwn ? ask(from + to, true) : Promise.resolve(false);
    void asked.then((taken) => (taken ? undefined : askWhy(from, to, origin?.piece ?? token?.symbol ?? null)));
    return false;
  };

  const act = (done: Input): boolean => {
    if (done.kind === "pick") return pick(done.cell, done.token);
    if (done.kind === "drop") return drop(done.from, done.to, done.token);
    const known = typedMove(moves, done.text);
    if (moves.some(({ move }) => move === known) || view?.actions.includes(known)) return play(known);
    void ask(done.text);
    return false;
  };
  const input = useInput<Input>(ready, act);
  const held = useRef<Token | null>(null);

  const onPick = (cell: string, token: Token | null, dragging: boolean) => {
    held.current = token;
    if (!dragging) void input.take({ kind: "pick", cell, token });
    else if (ready) setSelection(selectionOf(moves, cell, token));
  };

  const onKey = useStepKeys(game, step);

  const pieces = selection ? piecesOf(moves, selection.cell) : [];
  const turnSteps = view && ready ? openSteps(view) : 0;
  const stuck = Boolean(view && ready && !view.outcome && !view.moves.length && turnSteps && !actionsOf(view, turnSteps).length);
  const because = view && ready && view.unfinished ? `: ${view.unfinished.message}` : "";
  const text = view?.canonical ?? unplayable;
  const failed = Boolean(match.error || problem);
  const who = opponents(info, game.tags);
  const onward = onwardQuery(text, game.game, game.variant);
  const question = choices?.[0]?.to ? { cell: choices[0].to, choices: <WhichMove key={choices.map(({ move }) => move).join()} moves={choices} palette={palette} onChoose={({ move }) => play(move)} /> } : null;

  return (
    <div className="bench play">
      <h1 className="sr-only">Play</h1>
      <div ref={stage} className="stage" aria-busy={!match.settled}>
        <Board
          drawing={shown}
          label={`${info?.title ?? "Board"}${view ? `, ${view.side_to_move} to move` : ""}`}
          description={shown?.description ?? ""}
          origins={origins}
          selected={selection?.cell ?? null}
          targets={targets}
          taken={taken}
          checked={checked}
          lit={hindering}
          badges={badges}
          overlays={overlays}
          captions={false}
          coordinates={settings.coordinates}
          animated={settings.animation}
          question={question}
          onPick={onPick}
          onDrop={(from, to) => input.take({ kind: "drop", from, to, token: held.current })}
          onKey={onKey}
          onEscape={() => {
            setRefused(NO_REFUSAL);
            setPointed(null);
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
          {view && ready && view.outcome ? (
            <End view={view} info={info} tags={game.tags} onNew={() => start(fresh(game.game, game.variant, game.start), "New game.")} />
          ) : null}
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
            {turnSteps > 0 && (
              <button type="button" className={stuck ? "primary" : "quiet"} onClick={() => step(game.at - turnSteps)}>
                Cancel turn
              </button>
            )}
            <button type="button" className="quiet" disabled={!game.at} onClick={() => (step(game.at - 1), announce("Taken back."))}>
              Undo
            </button>
            <button type="button" className="quiet" disabled={game.at >= game.path.length} onClick={() => step(game.at + 1)}>
              Redo
            </button>
            <button type="button" className="quiet" aria-pressed={flip} onClick={() => setFlip(!flip)}>
              Flip
            </button>
          </div>
          <div className="chooser-room">
            {selection && pieces.length > 1 ? (
              <WhichPiece
                pieces={pieces}
                tokens={contentOf(contents, selection.cell).tokens}
                chosen={selection.piece}
                palette={palette}
                onChoose={(piece) => setSelection({ cell: selection.cell, piece })}
              />
            ) : refused.message ? (
              <p className="refused" role="alert">
                {refused.message}
              </p>
            ) : stuck ? (
              <p className="refused" role="alert">
                This turn cannot go on{because}. Cancel it.
              </p>
            ) : because ? (
              <p className="muted" data-testid="unfinished">
                This turn cannot end yet{because}.
              </p>
            ) : (
              <p className="muted">{view && ready ? remark(view) : "\u00a0"}</p>
            )}
          </div>
          {view && ready ? <OverlaySwitches view={view} settings={settings} /> : null}
          <Captured tokens={view?.captured ?? NO_TOKENS} palette={palette} />
          <TypedMove onType={(words) => void input.take({ kind: "type", text: words })} />
          <div className="reading-line">
            <code>{text || "\u00a0"}</code>
            <CopyButton text={text} name="position text" />
          </div>
          <p className="onward">
            <Link href={`/${onward}`}>Open in the workbench</Link>
            <Link href={`/edit${onward}`}>Edit</Link>
            <Share text={text} told={{ game: game.game, variant: view?.variant || game.variant }} flip={flip} theme={theme} />
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
              <button type="button" className="link" onClick={() => start(fresh(game.game, "", ""), "New game.")}>
                Begin a new game
              </button>
            </span>
          </Notice>
        ) : null}
        <Section title="Moves" aside={<Steps at={game.at} end={game.path.length} onStep={step} />}>
          {who && (
            <p className="opponents" data-testid="opponents">
              {who}
            </p>
          )}
          <Moves game={game} result={game.result ?? view?.result ?? null} onGo={(path) => change((now) => goneTo(now, path))} onChange={change} />
        </Section>

        <PlayedHere index={index} game={view?.game ?? null} text={ready && view ? view.canonical : null} onPlay={play} />

        <Legend palette={palette} />

        <Section title="Game">
          {info?.not_judged.length ? (
            <p className="muted" data-testid="not-judged">
              Not judged here: {info.not_judged.join(", ")}.
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
          {panel === "new" && <NewGame games={games} current={game.game} onStart={(next) => start(next, "New game.")} />}
          {panel === "earlier" && <Earlier games={games} onOpen={(next, key) => start(next, "Game opened.", key)} />}
          {panel === "import" && (
            <Import games={games} game={game.game} onRead={(next) => start(next, `Record read, ${sizeOf(next.children)} moves.`)} />
          )}
          {panel === "export" && <Export game={game} />}
        </Section>
      </aside>
    </div>
  );
}

/** What can be taken up on a cell: a piece of it, or whatever moves from there. */
function selectionOf(moves: readonly Move[], cell: string, token: Token | null): Selection | null {
  const here = movesFrom(moves, cell);
  if (!here.length) return null;
  return { cell, piece: token && here.some((move) => move.piece === token.symbol) ? token.symbol : null };
}

/** The cells of a group that hold the same as what was taken up: it goes along. */
function takenAlong(selection: Selection | null, contents: ReturnType<typeof contentsOf>): ReadonlySet<string> {
  if (!selection?.piece) return new Set();
  const { cell, piece } = selection;
  const alike = [...contents].flatMap(([id, { tokens }]) =>
    groupOf(id) === groupOf(cell) && tokens.some(({ symbol }) => symbol === piece) ? [id] : [],
  );
  return new Set(alike.length > 1 ? alike : []);
}

/** What the service says of the line goes into the tree; a move that it refuses is not kept in it. */
function useAnswers(
  { view, ready, problem }: ReturnType<typeof useMatch>,
  game: Game,
  setGame: (next: (now: Game) => Game) => void,
  refuse: (problem: string) => void,
): void {
  const good = useRef<Game | null>(null);
  useEffect(() => {
    if (ready && view) {
      const next = confirmed(game, view.history);
      good.current = next;
      setGame((now) => (now === game ? next : now));
    }
    const before = good.current;
    if (!problem || !before || before === game) return;
    refuse(problem);
    setGame((now) => (now === game ? before : now));
  }, [game, problem, ready, refuse, setGame, view]);
}

/** A tone for each step forward, where sounds are wanted. */
function useSounds(view: MatchView | null, wanted: boolean): void {
  const heard = useRef<number | null>(null);
  useEffect(() => {
    if (!view) return;
    const forward = heard.current !== null && view.at === heard.current + 1;
    heard.current = view.at;
    if (!wanted || !forward) return;
    sound(view.outcome ? "end" : view.history[view.at - 1]?.captured ? "capture" : "move");
  }, [view, wanted]);
}

/** The arrow keys lead through the game wherever nothing else wants them; the answer is whether a key did. */
function useStepKeys(game: Game, step: (at: number) => void) {
  const onKey = (event: { key: string; preventDefault: () => void }): boolean => {
    const keys: Record<string, number> = { ArrowLeft: game.at - 1, ArrowRight: game.at + 1, Home: 0, End: game.path.length };
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

/** Who moves, in the words below the drawing. */
function Turn({ view, failed }: { view: MatchView | null; failed: boolean }) {
  const [said = view ? `${view.side_to_move} to move` : ""] = view?.scene.captions ?? [];
  const words = view?.outcome ? view.outcome.reason : [said, view?.checked.length && "check"].filter(Boolean).join(" · ");
  return (
    <span className="turn" data-testid="turn">
      {words || (failed ? "Nothing to play" : "\u00a0")}
    </span>
  );
}

/** What else is to be known of a position. */
function remark(view: MatchView): string {
  if (view.claims.length) return `A draw can be claimed: ${view.claims.join(", ")}.`;
  if (!view.outcome && !view.moves.length && !view.actions.length) return "No legal moves.";
  return view.scene.captions.slice(1).join(" · ") || "\u00a0";
}

/** A hindrance as a sentence. */
function sentenceOf({ message }: Hindrance): string {
  return `${capital(message)}.`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
