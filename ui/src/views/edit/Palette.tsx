import { useMemo, useState, type CSSProperties } from "react";
import type { PaletteEntry } from "../../api/types";
import { Thumb } from "../../board/Thumb";
import { shownOf, togglesOf } from "./kinds";
import { usePaletteDrag } from "./usePaletteDrag";

/** How many things a palette shows in one line at most. */
const MOST = 6;

interface PaletteProps {
  palette: readonly PaletteEntry[];
  chosen: string | null;
  onChoose: (entry: PaletteEntry) => void;
  /** An entry was dragged onto a cell. */
  onDrop: (entry: PaletteEntry, cell: string) => void;
}

/** As few lines as it takes, all of the same length where they can be. */
export function columnsFor(count: number): number {
  return Math.ceil(count / Math.ceil(count / MOST));
}

/** What can be put on the board, by its groups: clicked and then put, or dragged there. */
export function Palette({ palette, chosen, onChoose, onDrop }: PaletteProps) {
  const [on, setOn] = useState<ReadonlySet<string>>(new Set());
  const toggles = useMemo(() => togglesOf(palette), [palette]);
  const shown = useMemo(() => shownOf(palette, on), [on, palette]);
  const groups = [...new Set(shown.map(({ group }) => group))];
  const { dragged, handlersOf, wasDrag } = usePaletteDrag(onDrop);

  const toggle = (sign: string) => {
    const next = new Set(on.has(sign) ? [...on].filter((one) => one !== sign) : [...on, sign]);
    setOn(next);
    // What is in the hand changes its kind with the palette.
    const before = chosen === null ? -1 : shown.findIndex(({ symbol }) => symbol === chosen);
    const after = shownOf(palette, next)[before];
    if (after && after.symbol !== chosen) onChoose(after);
  };

  return (
    <>
      {toggles.length > 0 && (
        <div className="tools" role="group" aria-label="Kinds">
          {toggles.map(({ sign, label }) => (
            <button key={sign} type="button" className="tool-word" aria-pressed={on.has(sign)} onClick={() => toggle(sign)}>
              {label}
            </button>
          ))}
        </div>
      )}
      <div className="palette">
        {groups.map((group) => (
          <div key={group} className="palette-group" role="group" aria-label={group} style={columns(shown, group)}>
            {shown
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

function columns(palette: readonly PaletteEntry[], group: string): CSSProperties {
  const count = palette.filter((entry) => entry.group === group).length;
  return { "--columns": columnsFor(count) } as CSSProperties;
}
