import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { GameInfo } from "../../api/types";
import { Link } from "../../shell/parts";
import { onwardQuery } from "../onward";
import type { Row } from "./batch";

/** How high a row is, in pixels; the style sheet says the same. */
const HEIGHT = 56;
/** Rows that are drawn beyond those on the screen. */
const MORE = 8;

/** A table of which only the rows on the screen are drawn. */
export function Rows({ rows, games }: { rows: readonly Row[]; games: readonly GameInfo[] }) {
  const room = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useEffect(() => {
    const measure = () => setHeight(room.current?.clientHeight ?? 600);
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const first = Math.max(0, Math.floor(top / HEIGHT) - MORE);
  const shown = rows.slice(first, Math.ceil((top + height) / HEIGHT) + MORE);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== room.current) return;
    if (event.key === "Home") room.current?.scrollTo({ top: 0 });
    else if (event.key === "End") room.current?.scrollTo({ top: rows.length * HEIGHT });
    else return;
    event.preventDefault();
  };

  return (
    <div ref={room} className="many-rows" tabIndex={0} role="region" aria-label="Texts" onScroll={(event) => setTop(event.currentTarget.scrollTop)} onKeyDown={onKeyDown}>
      <div role="table" aria-label="Texts and verdicts" aria-rowcount={rows.length} style={{ height: rows.length * HEIGHT }}>
        <div role="rowgroup" style={{ transform: `translateY(${first * HEIGHT}px)` }}>
          {shown.map((row, index) => (
            <OneRow key={row.line} row={row} index={first + index} title={games.find(({ name }) => name === row.game)?.title ?? ""} />
          ))}
        </div>
      </div>
    </div>
  );
}

function OneRow({ row, index, title }: { row: Row; index: number; title: string }) {
  const kind = !row.ok ? "error" : row.codes.length ? "warning" : "ok";
  return (
    <div role="row" aria-rowindex={index + 1} className={`many-row ${kind}`}>
      <span role="cell" className="many-line">
        {row.line}
      </span>
      <span role="cell" className="many-text">
        <Link href={`/${onwardQuery(row.text, row.game, "")}`} title={row.text}>
          {row.text}
        </Link>
      </span>
      <span role="cell" className="many-said">
        <span className={`verdict ${kind}`}>{verdictOf(row)}</span>
        {title && <span>{title}</span>}
        {row.given !== null && <span>repaired</span>}
        {row.codes.length > 0 && <code>{row.codes.join(" ")}</code>}
      </span>
    </div>
  );
}

function verdictOf({ ok, errors, warnings }: Row): string {
  const say = (count: number, word: string) => (count ? [`${count} ${word}${count === 1 ? "" : "s"}`] : []);
  const words = [...say(errors, "error"), ...say(warnings, "warning")].join(", ");
  return ok ? ["Valid", words].filter(Boolean).join(", ") : words || "Not valid";
}
