import { useMemo, useState } from "react";
import type { GameHint } from "../../api/client";
import { errorMessage } from "../../api/client";
import type { GameInfo, Theme } from "../../api/types";
import { Board } from "../../board/Board";
import { EmptyDrawing, Link, Notice } from "../../shell/parts";
import { useSettings } from "../../shell/settings";
import { countFindings, Findings } from "../../text/Findings";
import { MarkedText } from "../../text/MarkedText";
import { applyFix } from "../../text/spans";
import { positionQuery } from "../queries";
import { Share } from "../Share";
import type { useSide } from "./useSide";

/** The state of one of the two texts. */
export type SideState = ReturnType<typeof useSide>;

interface Props {
  name: string;
  side: SideState;
  games: readonly GameInfo[];
  theme: Theme;
  flip: boolean;
  hint: GameHint;
  /** The squares that differ. */
  squares: ReadonlySet<string>;
  /** The descriptions of the differences, by square. */
  notes: ReadonlyMap<string, string>;
  /** The square that is highlighted on both boards. */
  highlighted: string | null;
  onHover: (square: string | null) => void;
}

/** One text with its board and findings. */
export function Side({ name, side, theme, flip, hint, squares, notes, highlighted, onHover }: Props) {
  const settings = useSettings();
  const [highlightedFinding, setHighlightedFinding] = useState<number | null>(null);
  const { text, trimmedText, reading, setText, field } = side;
  const { diagnostics, shownDrawing: drawing, state } = reading;
  const highlightedSquares = useMemo(() => new Set(highlighted && squares.has(highlighted) ? [highlighted] : []), [highlighted, squares]);
  const isDrawn = drawing?.kind !== "board" && Boolean(trimmedText) && state !== "failed";
  return (
    <section className="compare-side" aria-label={`Text ${name}`}>
      <Board
        drawing={trimmedText ? (drawing?.position ?? null) : null}
        label={`${name}: ${drawing?.position.title ?? "Board"}`}
        description={drawing?.position.description ?? ""}
        warnings={squares}
        notes={notes}
        highlighted={highlightedSquares}
        stale={!isDrawn}
        outdated={state === "reading"}
        coordinates={settings.coordinates}
        onHover={(cell) => onHover(cell && squares.has(cell) ? cell : null)}
      >
        {!trimmedText && (
          <div className="forsyth-note">
            <EmptyDrawing />
            <p>Paste text {name}.</p>
          </div>
        )}
      </Board>
      <MarkedText
        ref={field}
        text={text}
        diagnostics={diagnostics}
        highlighted={highlightedFinding}
        onHighlight={setHighlightedFinding}
        onChange={(next) => setText(next, true)}
        label={`Text ${name}`}
        invalid={diagnostics.some(({ severity }) => severity === "error")}
        placeholder={`Text ${name}`}
      />
      <p className="onward">
        <span className="muted">{verdictOf(side)}</span>
        <Link href={`/${positionQuery(trimmedText, hint.game ?? null, hint.variant ?? "")}`} aria-label={`Open ${name} in the workbench`} disabled={!trimmedText}>
          Open
        </Link>
        <Share text={reading.answer?.position ? trimmedText : ""} hint={reading.hint} theme={theme} flip={flip} name={name} />
      </p>
      {reading.error ? <Notice onRetry={reading.retry}>{errorMessage(reading.error)}</Notice> : null}
      {diagnostics.length > 0 && (
        <Findings
          text={trimmedText}
          diagnostics={diagnostics}
          highlighted={highlightedFinding}
          onHighlight={setHighlightedFinding}
          onFix={(finding) => finding.fix && setText(applyFix(text, finding.fix))}
        />
      )}
    </section>
  );
}

/** Return the verdict on the text. */
function verdictOf({ reading: { state, diagnostics } }: SideState): string {
  if (state === "empty") return "No text yet";
  if (state === "failed") return "Not checked";
  return state === "reading" ? "Reading…" : countFindings(diagnostics) || "Valid";
}
