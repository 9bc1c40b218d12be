import type { PaletteEntry, Token } from "../../api/types";
import { Thumb } from "../../board/Thumb";

/** What was captured, by whose it was. */
export function Captured({ tokens, palette }: { tokens: readonly Token[]; palette: readonly PaletteEntry[] }) {
  if (!tokens.length) return null;
  const owners = [...new Set(tokens.map(({ owner }) => owner))];
  return (
    <div className="captured" data-testid="captured">
      {owners.map((owner) => {
        const lost = tokens.filter((token) => token.owner === owner);
        return (
          <span key={owner} role="img" aria-label={`Captured: ${lost.map(({ label }) => label).join(", ")}`}>
            {lost.map(({ symbol }, index) => {
              const entry = palette.find((one) => one.symbol === symbol);
              return entry ? <Thumb key={index} svg={entry.svg} /> : symbol;
            })}
          </span>
        );
      })}
    </div>
  );
}
