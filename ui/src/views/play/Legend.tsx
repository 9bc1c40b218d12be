import type { PaletteEntry } from "../../api/types";
import { Thumb } from "../../board/Thumb";

/** The names of the pieces. Only the first group of the palette is listed, because all sides have the same pieces. */
export function Legend({ palette }: { palette: readonly PaletteEntry[] }) {
  const [firstEntry] = palette;
  if (!firstEntry) return null;
  return (
    <details className="legend">
      <summary>Names of the pieces</summary>
      <ul>
        {palette
          .filter(({ group }) => group === firstEntry.group)
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
