import type { GameInfo } from "../../api/types";

interface Props {
  games: readonly GameInfo[];
  text: string;
  onChoose: (text: string) => void;
}

/** Example texts of every game. */
export function Examples({ games, text, onChoose }: Props) {
  return games.map((entry) => (
    <div key={entry.name} className="examples">
      <h3>{entry.title}</h3>
      <ul className="chips">
        {Object.entries(entry.examples).map(([name, example]) => (
          <li key={name}>
            <button type="button" className="chip" aria-pressed={example === text} onClick={() => onChoose(example)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  ));
}
