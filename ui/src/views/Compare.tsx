import { useEffect, useMemo, useRef, useState } from "react";
import { api, errorMessage } from "../api/client";
import type { DiffAnswer } from "../api/types";
import { useBeforePaint } from "../beforePaint";
import { contentsByCell } from "../board/cells";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, readStored, useLatestAnswer } from "../shell/hooks";
import { Notice, Section } from "../shell/parts";
import { GameSelect } from "./choices";
import { Changes, countDifferences } from "./compare/Changes";
import { Side, type SideState } from "./compare/Side";
import { useSide } from "./compare/useSide";
import { compareQuery } from "./queries";

/** The view *Compare*: two texts side by side. Differences are marked on both boards and listed. */
export function Compare({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [game, setGame] = useState(query.get("game") ?? "");
  const [flip, setFlip] = useState(false);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const variant = query.get("variant") ?? "";
  const [initialText] = useState(() => query.get("a") ?? games.find(({ name }) => name === readStored("forsyth.game"))?.start ?? "");
  const a = useSide(initialText, { game, variant }, { theme, flip }, games);
  const b = useSide(query.get("b") ?? "", { game, variant }, { theme, flip }, games);

  const hint = { ...(game ? { game } : {}), ...(variant ? { variant } : {}) };
  const comparisonKey = a.reading.answer?.position && b.reading.answer?.position ? JSON.stringify([a.trimmedText, b.trimmedText, hint]) : null;
  const comparison = useLatestAnswer(comparisonKey, async (signal) => ({ comparisonKey, ...(await api.diff(a.trimmedText, b.trimmedText, hint, signal)) }));
  const difference: DiffAnswer | null = comparisonKey !== null && comparison.data?.comparisonKey === comparisonKey ? comparison.data : null;

  // Before paint: a later effect could run after a click on a link and overwrite the address of the next view.
  useBeforePaint(() => navigate(`/compare${compareQuery(a.trimmedText, { game, variant }, b.trimmedText)}`, true), [a.trimmedText, b.trimmedText, game, variant]);

  const announced = useRef<DiffAnswer | null>(null);
  useEffect(() => {
    if (difference && difference !== announced.current) announce(countDifferences(difference));
    announced.current = difference;
  }, [announce, difference]);

  const squares = useMemo(() => new Set(difference?.squares.map(({ square }) => square)), [difference]);
  const contents = useMemo(() => {
    const scenes = [a, b].map((side) => contentsByCell(side.reading.answer?.position?.scene));
    return new Map(scenes.flatMap((sideContents) => [...sideContents]));
  }, [a.reading.answer, b.reading.answer]);
  const sharedProps = { games, theme, flip, hint, squares, highlighted, onHover: setHighlighted };
  const swap = () => {
    const [textA, textB] = [a.text, b.text];
    a.setText(textB);
    b.setText(textA);
  };

  return (
    <div className="compare">
      <h1>Compare</h1>
      <div className="strip-head">
        <label className="inline-select">
          <span className="sr-only">Game</span>
          <GameSelect games={games} value={game} onChange={setGame}>
            <option value="">Detect the game</option>
          </GameSelect>
        </label>
        <span className="spacer" />
        <button type="button" className="quiet" onClick={swap}>
          Swap
        </button>
        <button type="button" className="quiet" aria-pressed={flip} onClick={() => setFlip(!flip)}>
          Flip
        </button>
      </div>
      <div className="compare-sides">
        <Side name="A" side={a} {...sharedProps} notes={describeDifferences(difference, "b")} />
        <Side name="B" side={b} {...sharedProps} notes={describeDifferences(difference, "a")} />
      </div>
      {comparison.error && comparisonKey ? <Notice onRetry={comparison.retry}>{errorMessage(comparison.error)}</Notice> : null}
      <Section title="Differences" aside={difference ? <span className="muted small">{countDifferences(difference)}</span> : null}>
        {difference ? <Changes difference={difference} contents={contents} highlighted={highlighted} onHighlight={setHighlighted} /> : <p className="muted">{placeholderMessage(a, b, comparison.pending)}</p>}
      </Section>
    </div>
  );
}

/** Describe each square that differs by its content in `otherText`. */
function describeDifferences(difference: DiffAnswer | null, otherText: "a" | "b"): ReadonlyMap<string, string> {
  return new Map(difference?.squares.map((change) => [change.square, `differs, ${change[otherText] || "empty"} in ${otherText.toUpperCase()}`]));
}

/** Return the message shown while there is no comparison. */
function placeholderMessage(a: SideState, b: SideState, pending: boolean): string {
  if (!a.trimmedText || !b.trimmedText) return "Paste a text on each side.";
  if (pending || a.reading.state === "reading" || b.reading.state === "reading") return "Reading…";
  return "Both texts must be positions before they can be compared.";
}
