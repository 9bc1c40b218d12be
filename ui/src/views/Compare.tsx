import { useEffect, useMemo, useRef, useState } from "react";
import { api, sentence } from "../api/client";
import type { DiffAnswer } from "../api/types";
import { useBeforePaint } from "../beforePaint";
import { contentsOf } from "../board/cells";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { navigate, recall, useLatest } from "../shell/hooks";
import { Notice, Section } from "../shell/parts";
import { GameSelect } from "./choices";
import { Changes, counted } from "./compare/Changes";
import { Side, type SideState } from "./compare/Side";
import { useSide } from "./compare/useSide";
import { compareQuery } from "./onward";

/** Two texts side by side: what differs is marked on both boards and listed. */
export function Compare({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [game, setGame] = useState(query.get("game") ?? "");
  const [flip, setFlip] = useState(false);
  const [lit, setLit] = useState<string | null>(null);
  const variant = query.get("variant") ?? "";
  const [first] = useState(() => query.get("a") ?? games.find(({ name }) => name === recall("forsyth.game"))?.start ?? "");
  const a = useSide(first, { game, variant }, { theme, flip }, games);
  const b = useSide(query.get("b") ?? "", { game, variant }, { theme, flip }, games);

  const told = { ...(game ? { game } : {}), ...(variant ? { variant } : {}) };
  const both = a.reading.answer?.position && b.reading.answer?.position ? JSON.stringify([a.given, b.given, told]) : null;
  const asked = useLatest(both, async (signal) => ({ of: both, ...(await api.diff(a.given, b.given, told, signal)) }));
  const difference: DiffAnswer | null = both !== null && asked.data?.of === both ? asked.data : null;

  // Before paint: an effect that waits could run after a click on a link, and overwrite the address of the next view.
  useBeforePaint(() => navigate(`/compare${compareQuery(a.given, { game, variant }, b.given)}`, true), [a.given, b.given, game, variant]);

  const said = useRef<DiffAnswer | null>(null);
  useEffect(() => {
    if (difference && difference !== said.current) announce(counted(difference));
    said.current = difference;
  }, [announce, difference]);

  const squares = useMemo(() => new Set(difference?.squares.map(({ square }) => square)), [difference]);
  const contents = useMemo(() => {
    const scenes = [a, b].map((side) => contentsOf(side.reading.answer?.position?.scene));
    return new Map(scenes.flatMap((found) => [...found]));
  }, [a.reading.answer, b.reading.answer]);
  const shared = { games, theme, flip, told, squares, lit, onHover: setLit };
  const swap = () => {
    const [one, other] = [a.text, b.text];
    a.set(other);
    b.set(one);
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
        <Side name="A" side={a} {...shared} notes={notesOf(difference, "b")} />
        <Side name="B" side={b} {...shared} notes={notesOf(difference, "a")} />
      </div>
      {asked.error && both ? <Notice onRetry={asked.retry}>{sentence(asked.error)}</Notice> : null}
      <Section title="Differences" aside={difference ? <span className="muted small">{counted(difference)}</span> : null}>
        {difference ? <Changes difference={difference} contents={contents} lit={lit} onLight={setLit} /> : <p className="muted">{waiting(a, b, asked.pending)}</p>}
      </Section>
    </div>
  );
}

/** What is said of each square that differs: what the other text has there. */
function notesOf(difference: DiffAnswer | null, other: "a" | "b"): ReadonlyMap<string, string> {
  return new Map(difference?.squares.map((change) => [change.square, `differs, ${change[other] || "empty"} in ${other.toUpperCase()}`]));
}

function waiting(a: SideState, b: SideState, pending: boolean): string {
  if (!a.given || !b.given) return "Paste a text on each side.";
  if (pending || a.reading.state === "reading" || b.reading.state === "reading") return "Reading…";
  return "Both texts must be positions before they can be compared.";
}
