import type { GameInfo, MatchView } from "../../api/types";

/** Whether the value of a tag says something: question marks and dots stand for what is not known. */
export function isKnown(value: string | undefined): value is string {
  return Boolean(value) && !/^[?.]*$/.test(value!);
}

/** Who plays against whom, as far as the record says it. */
export function opponents(info: GameInfo | undefined, tags: Record<string, string>): string {
  return (info?.players ?? []).map((player) => tags[player]).filter(isKnown).join(" – ");
}

/** What a player is called: by name where the record has one. */
export function playerName(info: GameInfo | undefined, tags: Record<string, string>, player: number): string {
  const role = info?.player_names[player] ?? `Player ${player + 1}`;
  const name = tags[info?.players[player] ?? role];
  return isKnown(name) ? `${name} (${role})` : role;
}

/** The end of a game in a sentence: who won, and why. */
export function endOf(view: MatchView, info: GameInfo | undefined, tags: Record<string, string>): string {
  const { result, reason } = view.outcome!;
  const shares = result.split("-");
  const winners = shares.flatMap((share, player) => (share === "1" ? [playerName(info, tags, player)] : []));
  return winners.length === 1 ? `${winners[0]} wins: ${reason}.` : `Draw: ${reason}.`;
}

interface Props {
  view: MatchView;
  info: GameInfo | undefined;
  tags: Record<string, string>;
  onNew: () => void;
}

/** A banner that names the winner, and where the points come from in a game that is won by them. */
export function End({ view, info, tags, onNew }: Props) {
  return (
    <div className="end" role="status">
      <div>
        <p>
          <strong>{view.outcome!.result}</strong> {endOf(view, info, tags)}
        </p>
        {view.scores.length > 0 && <Account view={view} info={info} tags={tags} />}
      </div>
      <button type="button" className="quiet" onClick={onNew}>
        Play again
      </button>
    </div>
  );
}

function Account({ view, info, tags }: Omit<Props, "onNew">) {
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
