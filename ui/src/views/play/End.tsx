import type { GameInfo, MatchView } from "../../api/types";

/** Report whether a tag has a value. Question marks and dots mean "unknown". */
export function hasValue(value: string | undefined): value is string {
  return Boolean(value) && !/^[?.]*$/.test(value!);
}

/** Return the names of the players in the tags, as in "Anna – Ben". */
export function playersOf(info: GameInfo | undefined, tags: Record<string, string>): string {
  return (info?.players ?? []).map((player) => tags[player]).filter(hasValue).join(" – ");
}

/** Return the name and role of a player, or only the role if the tags have no name. */
export function playerName(info: GameInfo | undefined, tags: Record<string, string>, player: number): string {
  const role = info?.player_names[player] ?? `Player ${player + 1}`;
  const name = tags[info?.players[player] ?? role];
  return hasValue(name) ? `${name} (${role})` : role;
}

/** Describe the end of a game in a sentence: winner and reason. */
export function describeEnd(view: MatchView, info: GameInfo | undefined, tags: Record<string, string>): string {
  const { result, reason } = view.outcome!;
  const results = result.split("-");
  const winners = results.flatMap((playerResult, player) => (playerResult === "1" ? [playerName(info, tags, player)] : []));
  return winners.length === 1 ? `${winners[0]} wins: ${reason}.` : `Draw: ${reason}.`;
}

interface Props {
  view: MatchView;
  info: GameInfo | undefined;
  tags: Record<string, string>;
  onNew: () => void;
}

/** A banner with the result, the winner and, in a game with points, the scores. */
export function End({ view, info, tags, onNew }: Props) {
  return (
    <div className="end" role="status">
      <div>
        <p>
          <strong>{view.outcome!.result}</strong> {describeEnd(view, info, tags)}
        </p>
        {view.scores.length > 0 && <ScoreTable view={view} info={info} tags={tags} />}
      </div>
      <button type="button" className="quiet" onClick={onNew}>
        Play again
      </button>
    </div>
  );
}

/** A table of the points of each player. */
function ScoreTable({ view, info, tags }: Omit<Props, "onNew">) {
  const players = view.scores[0]!.values.map((_, player) => playerName(info, tags, player));
  return (
    <table className="account">
      <thead>
        <tr>
          <td />
          {players.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.scores.map(({ label, values }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {values.map((value, player) => (
              <td key={player}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
