import type { ReactNode } from "react";
import type { GameInfo } from "../api/types";

interface GameSelectProps {
  games: readonly GameInfo[];
  value: string;
  onChange: (game: string) => void;
  /** An option that precedes the games. */
  children?: ReactNode;
}

/** A select with all games. */
export function GameSelect({ games, value, onChange, children }: GameSelectProps) {
  return (
    <select value={value} onChange={(event) => onChange(event.target.value)}>
      {children}
      {games.map(({ name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}

interface VariantSelectProps {
  info: GameInfo;
  value: string;
  onChange: (variant: string) => void;
  /** Label of the option that leaves the variant to the text. Without it, there is no such option. */
  anyLabel?: string;
}

/** A select with the variants of a game. */
export function VariantSelect({ info, value, onChange, anyLabel }: VariantSelectProps) {
  return (
    <select value={value} onChange={(event) => onChange(event.target.value)}>
      {anyLabel && <option value="">{anyLabel}</option>}
      {info.variants.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
