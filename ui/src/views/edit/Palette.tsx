import type { CSSProperties } from "react";
import type { PaletteEntry } from "../../api/types";
import { Thumb } from "../../board/Thumb";

/** How many things a palette shows in one line at most. */
const MOST = 11;
/** Up to how many things it shows them large. */
const FEW = 16;

interface PaletteProps {
  palette: readonly PaletteEntry[];
  chosen: string | null;
  onChoose: (entry: PaletteEntry) => void;
}

/** As few lines as it takes, all of the same length where they can be. */
export function columnsFor(count: number): number {
  return Math.ceil(count / Math.ceil(count / MOST));
}

/** What can be put on the board, by its groups. */
export function Palette({ palette, chosen, onChoose }: PaletteProps) {
  const groups = [...new Set(palette.map(({ group }) => group))];
  const few = palette.length <= FEW;
  return (
    <div className={`palette${few ? " few" : ""}`}>
      {groups.map((group) => (
        <div key={group} className="palette-group" role="group" aria-label={group} style={columns(palette, group)}>
          {palette
            .filter((entry) => entry.group === group)
            .map((entry) => (
              <button
                key={entry.symbol}
                type="button"
                className="tool"
                title={entry.label}
                aria-label={entry.label}
                aria-pressed={chosen === entry.symbol}
                onClick={() => onChoose(entry)}
              >
                <Thumb svg={entry.svg} />
              </button>
            ))}
        </div>
      ))}
    </div>
  );
}

function columns(palette: readonly PaletteEntry[], group: string): CSSProperties {
  const count = palette.filter((entry) => entry.group === group).length;
  return { "--columns": columnsFor(count) } as CSSProperties;
}
