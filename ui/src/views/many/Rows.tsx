import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { GameInfo } from "../../api/types";
import { Link } from "../../shell/parts";
import { positionQuery } from "../queries";
import type { Row } from "./batch";

/** Height of a row, in pixels. The style sheet has the same value. */
const ROW_HEIGHT = 56;
/** Number of rows that are rendered above and below the visible ones. */
const OVERSCAN = 8;

/** A table that renders only the visible rows. */
export function Rows({ rows, games }: { rows: readonly Row[]; games: readonly GameInfo[] }) {
  const container = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [visibleHeight, setVisibleHeight] = useState(600);
  useEffect(() => {
    const measure = () => setVisibleHeight(container.current?.clientHeight ?? 600);
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const firstIndex = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - OVERSCAN);
  const visibleRows = rows.slice(firstIndex, Math.ceil((scrollTop + visibleHeight) / ROW_HEIGHT) + OVERSCAN);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== container.current) return;
    if (event.key === "Home") container.current?.scrollTo({ top: 0 });
    else if (event.key === "End") container.current?.scrollTo({ top: rows.length * ROW_HEIGHT });
    else return;
    event.preventDefault();
  };

  return (
    <div ref={container} className="many-rows" tabIndex={0} role="region" aria-label="Texts" onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)} onKeyDown={onKeyDown}>
      <div role="table" aria-label="Texts and verdicts" aria-rowcount={rows.length} style={{ height: rows.length * ROW_HEIGHT }}>
        <div role="rowgroup" style={{ transform: `translateY(${firstIndex * ROW_HEIGHT}px)` }}>
          {visibleRows.map((row, index) => (
            <TextRow key={row.line} row={row} index={firstIndex + index} gameTitle={games.find(({ name }) => name === row.game)?.title ?? ""} />
          ))}
        </div>
      </div>
    </div>
  );
}

/** A row: line number, text and verdict. */
function TextRow({ row, index, gameTitle }: { row: Row; index: number; gameTitle: string }) {
  const kind = !row.ok ? "error" : row.codes.length ? "warning" : "ok";
  return (
    <div role="row" aria-rowindex={index + 1} className={`many-row ${kind}`}>
      <span role="cell" className="many-line">
        {row.line}
      </span>
      <span role="cell" className="many-text">
        <Link href={`/${positionQuery(row.text, row.game, "")}`} title={row.text}>
          {row.text}
        </Link>
      </span>
      <span role="cell" className="many-said">
        <span className={`verdict ${kind}`}>{verdictOf(row)}</span>
        {gameTitle && <span>{gameTitle}</span>}
        {row.original !== null && <span>repaired</span>}
        {row.codes.length > 0 && <code>{row.codes.join(" ")}</code>}
      </span>
    </div>
  );
}

/** Return the verdict on a row, as in "Valid, 1 warning". */
function verdictOf({ ok, errors, warnings }: Row): string {
  const countWord = (count: number, word: string) => (count ? [`${count} ${word}${count === 1 ? "" : "s"}`] : []);
  const counts = [...countWord(errors, "error"), ...countWord(warnings, "warning")].join(", ");
  return ok ? ["Valid", counts].filter(Boolean).join(", ") : counts || "Not valid";
}
