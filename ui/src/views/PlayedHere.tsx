import { useState } from "react";
import { api, sentence } from "../api/client";
import type { ExploreAnswer, IndexedGame, IndexInfo, PlayedMove } from "../api/types";
import { useLatest } from "../shell/hooks";
import { Notice, Section } from "../shell/parts";

interface PlayedHereProps {
  index: IndexInfo | null;
  /** The game of the position; null while none is known. */
  game: string | null;
  /** The canonical text of the position; null while there is none. */
  text: string | null;
  onPlay: (move: string) => void;
}

/** What the games of the service's index played in a position, and how they ended. */
export function PlayedHere({ index, game, text, onPlay }: PlayedHereProps) {
  const asked = index !== null && game === index.game && text ? text : null;
  const answer = useLatest(asked, async (signal) => {
    const found = await api.explore(asked ?? "", index?.game ?? "", signal);
    return { asked, found };
  });
  if (index === null || game !== index.game) return null;
  const found = asked && answer.data ? answer.data.found : null;
  // What is still shown of the position before must not be played in this one.
  const stale = answer.data?.asked !== asked;
  return (
    <Section title="Played here" aside={found ? <span className="muted small">{counted(found.games)}</span> : null}>
      {answer.error ? <Notice onRetry={answer.retry}>{sentence(answer.error)}</Notice> : null}
      <div className="played" aria-busy={answer.pending} data-testid="played">
        {found ? <Found found={found} onPlay={(move) => !stale && onPlay(move)} /> : <p className="muted">{"\u00a0"}</p>}
      </div>
    </Section>
  );
}

/** How many moves are shown until all are asked for. */
const FEW = 8;

function Found({ found, onPlay }: { found: ExploreAnswer; onPlay: (move: string) => void }) {
  const [all, setAll] = useState(false);
  if (!found.games) return <p className="muted">No game of the index came here.</p>;
  return (
    <>
      <table>
        <caption className="sr-only">
          Moves that were played, and how the games ended for {found.side}
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
          {(all ? found.moves : found.moves.slice(0, FEW)).map((move) => (
            <Row key={move.move} move={move} all={found.games} onPlay={onPlay} />
          ))}
        </tbody>
      </table>
      {found.moves.length > FEW && (
        <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Fewer moves" : `All ${found.moves.length} moves`}
        </button>
      )}
      {found.ended > 0 && <p className="muted small">{counted(found.ended)} ended here.</p>}
      <Games found={found} />
    </>
  );
}

function Row({ move, all, onPlay }: { move: PlayedMove; all: number; onPlay: (move: string) => void }) {
  return (
    <tr>
      <th scope="row">
        <button type="button" className="move" onClick={() => onPlay(move.move)}>
          {move.move}
        </button>
      </th>
      <td className="count" title={counted(move.games)}>
        {share(move.games, all)}
      </td>
      <td className="result">
        <ResultBar move={move} />
      </td>
      <td className="count muted">{move.rating ?? ""}</td>
    </tr>
  );
}

/** Wins, draws and losses of who moves, as parts of one bar. */
function ResultBar({ move }: { move: PlayedMove }) {
  const total = move.wins + move.draws + move.losses;
  if (!total) return <span className="muted small">no result</span>;
  const words = `Won ${share(move.wins, total)}, drawn ${share(move.draws, total)}, lost ${share(move.losses, total)}`;
  const parts = [
    ["win", move.wins],
    ["draw", move.draws],
    ["loss", move.losses],
  ] as const;
  return (
    <span className="result-bar" role="img" aria-label={words} title={words}>
      {parts.map(([name, count]) => (count ? <span key={name} className={name} style={{ flexGrow: count }} /> : null))}
    </span>
  );
}

const LISTS = { strongest: "Strongest", latest: "Latest" } as const;

/** Some of the games that came here. */
function Games({ found }: { found: ExploreAnswer }) {
  const [list, setList] = useState<keyof typeof LISTS>("strongest");
  if (!found.latest.length) return null;
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
        {found[list].map((game) => (
          <li key={game.game}>
            <Game game={game} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Game({ game }: { game: IndexedGame }) {
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

function counted(games: number): string {
  return `${games.toLocaleString("en")} ${games === 1 ? "game" : "games"}`;
}

function share(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return `${percent > 0 && percent < 1 ? "<1" : Math.round(percent)} %`;
}
