/** Arrows and circles that a visitor draws on a board: they are gone with the position. */

import { useCallback, useEffect, useState } from "react";
import { centre, type CellBox } from "./geometry";

export interface Arrow {
  from: string;
  to: string;
}

/** An arrow from a cell to itself is a circle. */
export function useAnnotations(position: unknown) {
  const [arrows, setArrows] = useState<readonly Arrow[]>([]);
  const [aimed, setAimed] = useState<Arrow | null>(null);
  const clear = useCallback(() => setArrows((now) => (now.length ? [] : now)), []);
  useEffect(clear, [clear, position]);
  /** Draw one; the same again takes it off. */
  const toggle = useCallback((arrow: Arrow) => {
    const same = ({ from, to }: Arrow) => from === arrow.from && to === arrow.to;
    setArrows((now) => (now.some(same) ? now.filter((one) => !same(one)) : [...now, arrow]));
  }, []);
  /** Show one that is being drawn; null takes it away. */
  const aim = useCallback((arrow: Arrow | null) => {
    setAimed((now) => (now?.from === arrow?.from && now?.to === arrow?.to ? now : arrow));
  }, []);
  return { arrows, aimed, toggle, clear, aim };
}

const HEAD = 34;

interface AnnotationsProps {
  arrows: readonly Arrow[];
  byId: ReadonlyMap<string, CellBox>;
  /** Whether they are still being drawn. */
  aimed?: boolean;
}

export function Annotations({ arrows, byId, aimed = false }: AnnotationsProps) {
  return (
    <g className={aimed ? "forsyth-arrows aimed" : "forsyth-arrows"}>
      {arrows.map(({ from, to }) => {
        const [start, end] = [byId.get(from), byId.get(to)];
        if (!start || !end) return null;
        return from === to ? <Circle key={from} box={start} /> : <Shaft key={`${from} ${to}`} from={start} to={end} />;
      })}
    </g>
  );
}

function Circle({ box }: { box: CellBox }) {
  const [cx, cy] = centre(box);
  return <circle data-annotation={box.id} cx={cx} cy={cy} r={box.width * 0.44} strokeWidth={box.width * 0.07} />;
}

function Shaft({ from, to }: { from: CellBox; to: CellBox }) {
  const [x, y] = centre(from);
  const [toX, toY] = centre(to);
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const head = (HEAD * to.width) / 100;
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
