import type { PaletteEntry, Token } from "../../api/types";
import { Thumb } from "../../board/Thumb";

/** The captured pieces, by owner. */
export function Captured({ tokens, palette }: { tokens: readonly Token[]; palette: readonly PaletteEntry[] }) {
  if (!tokens.length) return null;
  const owners = [...new Set(tokens.map(({ owner }) => owner))];
  return (
    <div className="captured" data-testid="captured">
      {owners.map((owner) => {
        const capturedTokens = tokens.filter((token) => token.owner === owner);
        return (
          <span key={owner} role="img" aria-label={`Captured: ${capturedTokens.map(({ label }) => label).join(", ")}`}>
            {capturedTokens.map(({ symbol }, index) => {
              const entry = palette.find((candidate) => candidate.symbol === symbol);
              return entry ? <Thumb key={index} svg={entry.svg} /> : symbol;
            })}
          </span>
        );
      })}
    </div>
  );
}
