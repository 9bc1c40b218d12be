import { useState } from "react";
import { api, errorMessage } from "../api/client";
import type { ExploreAnswer, IndexedGame, IndexInfo, PlayedMove } from "../api/types";
import { useLatestAnswer } from "../shell/hooks";
import { Notice, Section } from "../shell/parts";

interface PlayedHereProps {
  index: IndexInfo | null;
  /** The game of the position, or null if it is unknown. */
  game: string | null;
  /** The canonical text of the position, or null if there is none. */
  text: string | null;
  onPlay: (move: string) => void;
}

/** The moves that indexed games played in a position, and their results. Rendered only if the index is of this game. */
export function PlayedHere({ index, game, text, onPlay }: PlayedHereProps) {
  const question = index !== null && game === index.game && text ? text : null;
  const answer = useLatestAnswer(question, async (signal) => {
    const statistics = await api.explore(question ?? "", index?.game ?? "", signal);
    return { question, statistics };
  });
  if (index === null || game !== index.game) return null;
  const statistics = question && answer.data ? answer.data.statistics : null;
  // Moves of the previous position are shown until the answer arrives. They must not be played.
  const stale = answer.data?.question !== question;
  return (
    <Section title="Played here" aside={statistics ? <span className="muted small">{countGames(statistics.games)}</span> : null}>
      {answer.error ? <Notice onRetry={answer.retry}>{errorMessage(answer.error)}</Notice> : null}
      <div className="played" aria-busy={answer.pending} data-testid="played">
        {statistics ? <PlayedMoves statistics={statistics} onPlay={(move) => !stale && onPlay(move)} /> : <p className="muted">{"\u00a0"}</p>}
      </div>
    </Section>
  );
}

/** Number of moves that are shown at first. */
const INITIAL_ROWS = 8;

/** The moves, the number of games that ended here, and some games. */
function PlayedMoves({ statistics, onPlay }: { statistics: ExploreAnswer; onPlay: (move: string) => void }) {
  const [areAllShown, setAllShown] = useState(false);
  if (!statistics.games) return <p className="muted">No game in the index contains this position.</p>;
  return (
    <>
      <table>
        <caption className="sr-only">
          Moves played here and their results for {statistics.side}
        </caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Move</th>
            <th scope="col">Games</th>
            <th scope="col">Won, drawn, lost</th>
            <th scope="col">Average rating</th>
          </tr>
        </thead>
        <tbody>
          {(areAllShown ? statistics.moves : statistics.moves.slice(0, INITIAL_ROWS)).map((move) => (
            <MoveRow key={move.move} move={move} totalGames={statistics.games} onPlay={onPlay} />
          ))}
        </tbody>
      </table>
      {statistics.moves.length > INITIAL_ROWS && (
        <button type="button" className="link" aria-expanded={areAllShown} onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? "Fewer moves" : `All ${statistics.moves.length} moves`}
        </button>
      )}
      {statistics.ended > 0 && <p className="muted small">{countGames(statistics.ended)} ended here.</p>}
      <ExampleGames statistics={statistics} />
    </>
  );
}

/** A row: move, share of the games, results and average rating. */
function MoveRow({ move, totalGames, onPlay }: { move: PlayedMove; totalGames: number; onPlay: (move: string) => void }) {
  return (
    <tr>
      <th scope="row">
        <button type="button" className="move" onClick={() => onPlay(move.move)}>
          {move.move}
        </button>
      </th>
      <td className="count" title={countGames(move.games)}>
        {formatShare(move.games, totalGames)}
      </td>
      <td className="result">
        <ResultBar move={move} />
      </td>
      <td className="count muted">{move.rating ?? ""}</td>
    </tr>
  );
}

/** A bar with the shares of wins, draws and losses of the side to move. */
function ResultBar({ move }: { move: PlayedMove }) {
  const total = move.wins + move.draws + move.losses;
  if (!total) return <span className="muted small">no result</span>;
  const label = `Won ${formatShare(move.wins, total)}, drawn ${formatShare(move.draws, total)}, lost ${formatShare(move.losses, total)}`;
  const parts = [
    ["win", move.wins],
    ["draw", move.draws],
    ["loss", move.losses],
  ] as const;
  return (
    <span className="result-bar" role="img" aria-label={label} title={label}>
      {parts.map(([name, count]) => (count ? <span key={name} className={name} style={{ flexGrow: count }} /> : null))}
    </span>
  );
}

const LISTS = { strongest: "Strongest", latest: "Latest" } as const;

/** The strongest and the latest games that contain the position. */
function ExampleGames({ statistics }: { statistics: ExploreAnswer }) {
  const [list, setList] = useState<keyof typeof LISTS>("strongest");
  if (!statistics.latest.length) return null;
  return (
    <div className="played-games">
      <p className="onward" role="group" aria-label="Games">
        {(Object.keys(LISTS) as (keyof typeof LISTS)[]).map((name) => (
          <button key={name} type="button" className="link" aria-pressed={list === name} onClick={() => setList(name)}>
            {LISTS[name]}
          </button>
        ))}
      </p>
      <ul>
        {statistics[list].map((game) => (
          <li key={game.game}>
            <IndexedGameEntry game={game} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Players, result, event and date of a game, with a link if the index has an https address. */
function IndexedGameEntry({ game }: { game: IndexedGame }) {
  const players = game.players.map(({ name, rating }) => `${name ?? "?"}${rating ? ` (${rating})` : ""}`).join(" – ");
  const where = [game.event, game.date].filter(Boolean).join(", ");
  const isLink = game.site?.startsWith("https://") ?? false;
  return (
    <>
      <span className="players">
        {isLink ? (
          <a href={game.site ?? undefined} rel="noreferrer noopener" target="_blank">
            {players}
          </a>
        ) : (
          players
        )}
      </span>
      <span className="played-result">{game.result}</span>
      {where && <span className="muted small">{where}</span>}
    </>
  );
}

/** Format a number of games, as in "1,234 games". */
function countGames(games: number): string {
  return `${games.toLocaleString("en")} ${games === 1 ? "game" : "games"}`;
}

/** Format a share as whole percent. Shares below 1 % are "<1 %". */
function formatShare(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return `${percent > 0 && percent < 1 ? "<1" : Math.round(percent)} %`;
}
