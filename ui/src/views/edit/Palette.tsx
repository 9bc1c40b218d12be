import { useMemo, useState, type CSSProperties } from "react";
import type { PaletteEntry } from "../../api/types";
import { Thumb } from "../../board/Thumb";
import { visibleEntries, findToggles } from "./kinds";
import { usePaletteDrag } from "./usePaletteDrag";

/** Maximum number of columns. */
const MAX_COLUMNS = 6;

interface PaletteProps {
  palette: readonly PaletteEntry[];
  chosen: string | null;
  onChoose: (entry: PaletteEntry) => void;
  /** An entry was dropped on a cell. */
  onDrop: (entry: PaletteEntry, cell: string) => void;
}

/** Return the number of columns that spreads `count` entries evenly over as few lines as possible. */
export function columnCount(count: number): number {
  return Math.ceil(count / Math.ceil(count / MAX_COLUMNS));
}

/** The pieces that can be placed, by group. A piece is chosen by a click or dragged onto the board. */
export function Palette({ palette, chosen, onChoose, onDrop }: PaletteProps) {
  const [activeSigns, setActiveSigns] = useState<ReadonlySet<string>>(new Set());
  const toggles = useMemo(() => findToggles(palette), [palette]);
  const visible = useMemo(() => visibleEntries(palette, activeSigns), [activeSigns, palette]);
  const groups = [...new Set(visible.map(({ group }) => group))];
  const { dragged, handlersOf, wasDrag } = usePaletteDrag(onDrop);

  const toggle = (sign: string) => {
    const newSigns = new Set(activeSigns.has(sign) ? [...activeSigns].filter((activeSign) => activeSign !== sign) : [...activeSigns, sign]);
    setActiveSigns(newSigns);
    // The chosen piece changes its kind with the palette.
    const chosenIndex = chosen === null ? -1 : visible.findIndex(({ symbol }) => symbol === chosen);
    const newEntry = visibleEntries(palette, newSigns)[chosenIndex];
    if (newEntry && newEntry.symbol !== chosen) onChoose(newEntry);
  };

  return (
    <>
      {toggles.length > 0 && (
        <div className="tools" role="group" aria-label="Kinds">
          {toggles.map(({ sign, label }) => (
            <button key={sign} type="button" className="tool-word" aria-pressed={activeSigns.has(sign)} onClick={() => toggle(sign)}>
              {label}
            </button>
          ))}
        </div>
      )}
      <div className="palette">
        {groups.map((group) => (
          <div key={group} className="palette-group" role="group" aria-label={group} style={columnStyle(visible, group)}>
            {visible
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <button
                  key={entry.symbol}
                  type="button"
                  className="tool"
                  title={entry.label}
                  aria-label={entry.label}
                  aria-pressed={chosen === entry.symbol}
                  onClick={() => !wasDrag() && onChoose(entry)}
                  {...handlersOf(entry)}
                >
                  <Thumb svg={entry.svg} />
                </button>
              ))}
          </div>
        ))}
      </div>
      {dragged && (
        <div className="palette-ghost" style={{ left: dragged.x, top: dragged.y }} aria-hidden="true">
          <Thumb svg={dragged.entry.svg} />
        </div>
      )}
    </>
  );
}

/** Return the style that sets the number of columns of a group. */
function columnStyle(palette: readonly PaletteEntry[], group: string): CSSProperties {
  const count = palette.filter((entry) => entry.group === group).length;
  return { "--columns": columnCount(count) } as CSSProperties;
}
