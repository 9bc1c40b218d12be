/** Arrows and circles that a visitor draws on a board. They are removed when the position changes. */

import { useCallback, useEffect, useState } from "react";
import { centre, type CellBox } from "./geometry";

/** An arrow from one cell to another, or a circle if both are the same. */
export interface Arrow {
  from: string;
  to: string;
}

/** Return the arrows on a board and functions that change them. An arrow from a cell to itself is a circle. */
export function useAnnotations(position: unknown) {
  const [arrows, setArrows] = useState<readonly Arrow[]>([]);
  const [preview, setPreview] = useState<Arrow | null>(null);
  const clear = useCallback(() => setArrows((current) => (current.length ? [] : current)), []);
  useEffect(clear, [clear, position]);
  /** Add an arrow, or remove it if it is there already. */
  const toggle = useCallback((arrow: Arrow) => {
    const isSame = ({ from, to }: Arrow) => from === arrow.from && to === arrow.to;
    setArrows((current) => (current.some(isSame) ? current.filter((other) => !isSame(other)) : [...current, arrow]));
  }, []);
  /** Show the arrow that is being drawn, or hide it with null. */
  const showPreview = useCallback((arrow: Arrow | null) => {
    setPreview((current) => (current?.from === arrow?.from && current?.to === arrow?.to ? current : arrow));
  }, []);
  return { arrows, preview, toggle, clear, showPreview };
}

/** Length of an arrow head on a cell of 100 units. */
const HEAD_LENGTH = 34;

interface AnnotationsProps {
  arrows: readonly Arrow[];
  byId: ReadonlyMap<string, CellBox>;
  /** Whether the arrows are still being drawn. */
  isPreview?: boolean;
}

/** The arrows and circles as SVG. */
export function Annotations({ arrows, byId, isPreview = false }: AnnotationsProps) {
  return (
    <g className={isPreview ? "forsyth-arrows aimed" : "forsyth-arrows"}>
      {arrows.map(({ from, to }) => {
        const [start, end] = [byId.get(from), byId.get(to)];
        if (!start || !end) return null;
        return from === to ? <Circle key={from} box={start} /> : <Shaft key={`${from} ${to}`} from={start} to={end} />;
      })}
    </g>
  );
}

/** A circle around a cell. */
function Circle({ box }: { box: CellBox }) {
  const [cx, cy] = centre(box);
  return <circle data-annotation={box.id} cx={cx} cy={cy} r={box.width * 0.44} strokeWidth={box.width * 0.07} />;
}

/** An arrow between the centres of two cells. */
function Shaft({ from, to }: { from: CellBox; to: CellBox }) {
  const [x, y] = centre(from);
  const [toX, toY] = centre(to);
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const head = (HEAD_LENGTH * to.width) / 100;
  const [tipX, tipY] = [toX - dx * to.width * 0.1, toY - dy * to.width * 0.1];
  const [neckX, neckY] = [tipX - dx * head, tipY - dy * head];
  const point = (along: number) => `${neckX - dy * along} ${neckY + dx * along}`;
  return (
    <g data-annotation={`${from.id} ${to.id}`}>
      <path d={`M${x} ${y}L${neckX} ${neckY}`} strokeWidth={to.width * 0.14} />
      <path className="head" d={`M${tipX} ${tipY}L${point(head * 0.55)}L${point(-head * 0.55)}z`} />
    </g>
  );
}
