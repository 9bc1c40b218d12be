import type { PaletteEntry } from "../../api/types";
import { Thumb } from "../../board/Thumb";

/** What the pieces are called: those of the first group of the palette stand for all sides. */
export function Legend({ palette }: { palette: readonly PaletteEntry[] }) {
  const [first] = palette;
  if (!first) return null;
  return (
    <details className="legend">
      <summary>What the pieces are</summary>
      <ul>
        {palette
          .filter(({ group }) => group === first.group)
          .map(({ symbol, label, svg }) => (
            <li key={symbol}>
              <Thumb svg={svg} />
              <span>{label}</span>
              <code>{symbol}</code>
            </li>
          ))}
      </ul>
    </details>
  );
}
