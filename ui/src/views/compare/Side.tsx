import { useMemo, useState } from "react";
import type { Told } from "../../api/client";
import { sentence } from "../../api/client";
import type { GameInfo, Theme } from "../../api/types";
import { Board } from "../../board/Board";
import { EmptyDrawing, Link, Notice } from "../../shell/parts";
import { useSettings } from "../../shell/settings";
import { countFindings, Findings } from "../../text/Findings";
import { MarkedText } from "../../text/MarkedText";
import { applyFix } from "../../text/spans";
import { onwardQuery } from "../onward";
import { Share } from "../Share";
import type { useSide } from "./useSide";

export type SideState = ReturnType<typeof useSide>;

interface Props {
  name: string;
  side: SideState;
  games: readonly GameInfo[];
  theme: Theme;
  flip: boolean;
  told: Told;
  /** The squares that differ, and which of them is pointed at. */
  squares: ReadonlySet<string>;
  notes: ReadonlyMap<string, string>;
  lit: string | null;
  onHover: (square: string | null) => void;
}

/** One text with its board and its findings. */
export function Side({ name, side, theme, flip, told, squares, notes, lit, onHover }: Props) {
  const settings = useSettings();
  const [finding, setFinding] = useState<number | null>(null);
  const { text, given, reading, set, field } = side;
  const { diagnostics, shown, state } = reading;
  const litSquares = useMemo(() => new Set(lit && squares.has(lit) ? [lit] : []), [lit, squares]);
  const drawn = shown?.kind !== "board" && Boolean(given) && state !== "failed";
  return (
    <section className="compare-side" aria-label={`Text ${name}`}>
      <Board
        drawing={given ? (shown?.position ?? null) : null}
        label={`${name}: ${shown?.position.title ?? "Board"}`}
        description={shown?.position.description ?? ""}
        warnings={squares}
        notes={notes}
        lit={litSquares}
        stale={!drawn}
        outdated={state === "reading"}
        coordinates={settings.coordinates}
        onHover={(cell) => onHover(cell && squares.has(cell) ? cell : null)}
      >
        {!given && (
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
        lit={finding}
        onLight={setFinding}
        onChange={(next) => set(next, true)}
        label={`Text ${name}`}
        invalid={diagnostics.some(({ severity }) => severity === "error")}
        placeholder={`Text ${name}`}
      />
      <p className="onward">
        <span className="muted">{wordsOf(side)}</span>
        <Link href={`/${onwardQuery(given, told.game ?? null, told.variant ?? "")}`} aria-label={`Open ${name} in the workbench`} disabled={!given}>
          Open
        </Link>
        <Share text={reading.answer?.position ? given : ""} told={reading.told} theme={theme} flip={flip} name={name} />
      </p>
      {reading.error ? <Notice onRetry={reading.retry}>{sentence(reading.error)}</Notice> : null}
      {diagnostics.length > 0 && (
        <Findings
          text={given}
          diagnostics={diagnostics}
          lit={finding}
          onLight={setFinding}
          onFix={(found) => found.fix && set(applyFix(text, found.fix))}
        />
      )}
    </section>
  );
}

function wordsOf({ reading: { state, diagnostics } }: SideState): string {
  if (state === "empty") return "Nothing to read yet";
  if (state === "failed") return "Not judged";
  return state === "reading" ? "Reading…" : countFindings(diagnostics) || "Valid";
}
