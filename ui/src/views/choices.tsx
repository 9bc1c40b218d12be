import type { ReactNode } from "react";
import type { GameInfo } from "../api/types";

interface GameSelectProps {
  games: readonly GameInfo[];
  value: string;
  onChange: (game: string) => void;
  /** A choice before all games. */
  children?: ReactNode;
}

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
  /** What it is called that the text decides, where it may. */
  open?: string;
}

export function VariantSelect({ info, value, onChange, open }: VariantSelectProps) {
  return (
    <select value={value} onChange={(event) => onChange(event.target.value)}>
      {open && <option value="">{open}</option>}
      {info.variants.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
