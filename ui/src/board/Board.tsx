import {
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { useBeforePaint } from "../beforePaint";
import { cellBoxes, centre, groupOf, neighbour, readingOrder, type CellBox, type Direction } from "./geometry";
import { parsePicture, wear } from "./picture";
import { reflow } from "./reflow";
import { tokenElements, type Names, type TokenName } from "./tokens";

export interface BoardProps {
  /** The drawing, as the service gives it. The last one stays while the next is on its way. */
  svg: string | null;
  label: string;
  description?: string;
  /** Who knows the tokens by their looks; without it cells are called by their place alone. */
  names?: Names | null;
  /** Which cells can be taken up, by cell or by group. */
  origins?: ReadonlySet<string>;
  selected?: string | null;
  targets?: ReadonlySet<string>;
  lit?: ReadonlySet<string>;
  /** Cells to mark as wrong or doubtful where the drawing does not do so itself. */
  errors?: ReadonlySet<string> | undefined;
  warnings?: ReadonlySet<string> | undefined;
  /** Whether the drawing no longer belongs to the text. */
  stale?: boolean;
  onPick?: (cell: string, token: TokenName | null, dragging: boolean) => void;
  /** Whether a drop was taken; what was dropped lies there until the next drawing, or goes back. */
  onDrop?: (from: string, to: string) => boolean | Promise<boolean>;
  onHover?: (cell: string | null) => void;
  onEscape?: () => void;
  /** Whether the lines below the drawing are shown here; a view may have another place for them. */
  captions?: boolean;
  children?: ReactNode;
}

interface Drag {
  from: string;
  pointer: number;
  x: number;
  y: number;
  token: TokenName | null;
  moving: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();
const DRAG_DISTANCE = 5;
/** How long a piece lies where it was dropped without an answer, in milliseconds. */
const PATIENCE = 1500;
const EMPTY: Layout = { boxes: [], size: [875, 875] };

/** A drawing as it lies on the page. */
interface Layout {
  boxes: CellBox[];
  size: [number, number];
}

export function Board(props: BoardProps) {
  const { svg, names, origins = NOTHING, targets = NOTHING, lit = NOTHING, selected = null } = props;
  const { errors = NOTHING, warnings = NOTHING } = props;
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const ghost = useRef<SVGGElement>(null);
  const drag = useRef<Drag | null>(null);
  const [{ boxes, size }, setLayout] = useState(EMPTY);
  const [cursor, setCursor] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const [byKeys, setByKeys] = useState(true);
  const help = useId();

  const picture = useMemo(() => (svg ? parsePicture(svg) : null), [svg]);
  const room = useRoom(frame);

  useBeforePaint(() => {
    if (!paper.current) return;
    if (!picture) {
      paper.current.replaceChildren();
      setLayout(EMPTY);
      return;
    }
    const node = document.importNode(picture.root, true);
    const takeOff = wear(node, picture.style);
    paper.current.replaceChildren(node);
    const laid = reflow(node, picture.size, room);
    ghost.current?.replaceChildren();
    setLayout({ boxes: readingOrder(cellBoxes(node)), size: laid });
    return takeOff;
  }, [picture, room]);

  const byId = useMemo(() => new Map(boxes.map((box) => [box.id, box])), [boxes]);
  const isIn = (set: ReadonlySet<string>, id: string) => set.has(id) || set.has(groupOf(id));

  const tokensOf = useCallback(
    (box: CellBox) =>
      tokenElements(box.element).map((element) => ({
        element,
        name: names && picture ? names.of(element, picture.style) : null,
      })),
    [names, picture],
  );

  const sayCell = (box: CellBox) => {
    const tokens = tokensOf(box);
    const words = tokens.map(({ name }) => name?.label ?? "piece").join(", ") || "empty";
    const note = box.element.getAttribute("data-mark") ? box.element.querySelector("title")?.textContent : "";
    const state = [
      isIn(targets, box.id) && "target",
      selected !== null && selected === box.id && "selected",
      note && `: ${note}`,
    ].filter(Boolean);
    return [`${box.id} ${words}`, ...state].join(", ");
  };

  const cellAt = (x: number, y: number) => {
    const found = document.elementFromPoint(x, y)?.closest<SVGGElement>("[data-square]");
    return found && paper.current?.contains(found) ? (found.getAttribute("data-square") ?? null) : null;
  };

  /** The token under the pointer; the lowest of several stands for all of them. */
  const tokenUnder = (event: PointerEvent, cell: string): TokenName | null => {
    const box = byId.get(cell);
    if (!box) return null;
    const tokens = tokensOf(box);
    const hit = tokens.findIndex(({ element }) => element.contains(event.target as Node));
    if (tokens.length === 1) return tokens[0]?.name ?? null;
    return hit > 0 ? (tokens[hit]?.name ?? null) : null;
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || drag.current) return;
    setByKeys(false);
    const cell = (event.target as Element).closest?.("[data-square]")?.getAttribute("data-square");
    if (!cell) return;
    drag.current = {
      from: cell,
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      token: tokenUnder(event, cell),
      moving: false,
    };
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const current = drag.current;
    if (!current) {
      props.onHover?.((event.target as Element).closest?.("[data-square]")?.getAttribute("data-square") ?? null);
      return;
    }
    if (!current.moving) {
      const far = Math.hypot(event.clientX - current.x, event.clientY - current.y) > DRAG_DISTANCE;
      if (!far || !props.onDrop || !isIn(origins, current.from)) return;
      current.moving = true;
      host.current?.setPointerCapture?.(current.pointer);
      props.onPick?.(current.from, current.token, true);
      liftGhost(current);
    }
    moveGhost(event.clientX, event.clientY);
  };

  const liftGhost = (current: Drag) => {
    const box = byId.get(current.from);
    if (!box || !ghost.current) return;
    const all = tokensOf(box);
    const one = all.find(({ name }) => name && current.token && name.symbol === current.token.symbol);
    const lifted = one && all.length > 1 ? [one] : all;
    const inner = document.createElementNS("http://www.w3.org/2000/svg", "g");
    const [cx, cy] = centre(box);
    const place = box.element.parentElement?.getAttribute("transform") ?? "";
    inner.setAttribute("transform", `translate(${-cx} ${-cy}) ${place}`);
    inner.append(...lifted.map(({ element }) => element.cloneNode(true)));
    ghost.current.replaceChildren(inner);
    box.element.classList.add("lifted");
  };

  const moveGhost = (x: number, y: number) => {
    const matrix = ghost.current?.ownerSVGElement?.getScreenCTM?.()?.inverse();
    if (!matrix) return;
    const point = new DOMPoint(x, y).matrixTransform(matrix);
    ghost.current?.setAttribute("transform", `translate(${point.x} ${point.y})`);
  };

  const putBack = (from: string) => {
    byId.get(from)?.element.classList.remove("lifted");
    ghost.current?.replaceChildren();
  };

  const endDrag = () => {
    if (drag.current) putBack(drag.current.from);
    drag.current = null;
  };

  /** Let what was dropped lie on its new place while the service is asked; without an answer it goes back. */
  const layDown = async (from: string, to: CellBox, taken: boolean | Promise<boolean>) => {
    const [x, y] = centre(to);
    ghost.current?.setAttribute("transform", `translate(${x} ${y})`);
    const laid = ghost.current?.firstChild;
    const forget = () => ghost.current?.firstChild === laid && putBack(from);
    if (await taken) setTimeout(forget, PATIENCE);
    else forget();
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const current = drag.current;
    drag.current = null;
    if (!current) return;
    if (!current.moving) {
      setCursor(current.from);
      props.onPick?.(current.from, current.token, false);
      return;
    }
    const to = byId.get(cellAt(event.clientX, event.clientY) ?? "");
    if (!to || to.id === current.from || !props.onDrop) return putBack(current.from);
    void layDown(current.from, to, props.onDrop(current.from, to.id));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    setByKeys(true);
    if (event.key === "Escape") return props.onEscape?.();
    const here = (cursor && byId.get(cursor)) || boxes[0];
    if (!here) return;
    const step = () => {
      if (event.key.startsWith("Arrow")) return cursor ? neighbour(boxes, here, event.key as Direction) : here;
      if (event.key === "Home") return boxes[0] ?? null;
      if (event.key === "End") return boxes[boxes.length - 1] ?? null;
      return undefined;
    };
    const next = step();
    if (next !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      if (!next) return;
      setCursor(next.id);
      props.onHover?.(next.id);
    } else if ((event.key === "Enter" || event.key === " ") && cursor && props.onPick) {
      event.preventDefault();
      const tokens = tokensOf(here);
      props.onPick(cursor, tokens.length === 1 ? (tokens[0]?.name ?? null) : null, false);
    }
  };

  useEffect(() => {
    if (cursor && boxes.length && !byId.has(cursor)) setCursor(null);
  }, [byId, boxes, cursor]);

  useBeforePaint(() => {
    for (const box of boxes) box.element.classList.toggle("origin", origins.has(box.id) || origins.has(groupOf(box.id)));
  }, [boxes, origins]);

  const [width, height] = size;
  const proportions = { "--board-w": width, "--board-h": height } as CSSProperties;
  const cursorBox = cursor ? byId.get(cursor) : undefined;

  return (
    <div ref={frame} className="forsyth-frame" style={proportions}>
      <div
        ref={host}
        className={`forsyth-board${props.stale ? " stale" : ""}${props.onPick ? " live" : ""}`}
        role="application"
        aria-roledescription="board"
        aria-label={props.label}
        aria-describedby={help}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={endDrag}
        onPointerLeave={() => props.onHover?.(null)}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          setByKeys(true);
          props.onHover?.(null);
        }}
      >
        <div ref={paper} className="forsyth-paper" aria-hidden="true" />
        <svg className="forsyth-overlay" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {boxes.map((box) => {
            const classes = [
              isIn(errors, box.id) && "error",
              !isIn(errors, box.id) && isIn(warnings, box.id) && "warning",
              isIn(lit, box.id) && "lit",
              selected === box.id && "selected",
              isIn(targets, box.id) && "target",
            ].filter(Boolean);
            if (!classes.length) return null;
            return <Sign key={box.id} box={box} kinds={classes as string[]} full={tokenElements(box.element).length > 0} />;
          })}
          {focused && byKeys && cursorBox && <Outline box={cursorBox} />}
          <g ref={ghost} className="forsyth-ghost" />
        </svg>
        {props.children}
      </div>
      {props.captions !== false && (
        <div className="forsyth-captions" aria-hidden="true">
          {picture?.captions.length && !props.stale ? picture.captions.map((line) => <p key={line}>{line}</p>) : <p>{"\u00a0"}</p>}
        </div>
      )}
      <p id={help} className="sr-only">
        {props.description} Arrow keys move over the board{props.onPick ? ", Enter takes or puts" : ""}.
      </p>
      <p className="sr-only" aria-live="polite">
        {focused && cursorBox ? sayCell(cursorBox) : ""}
      </p>
    </div>
  );
}

/** How wide the place of a board is, in pixels; 0 until it is known. */
function useRoom(frame: RefObject<HTMLDivElement | null>): number {
  const [room, setRoom] = useState(0);
  useBeforePaint(() => {
    let place = frame.current?.parentElement;
    // What is laid out as if it were not there has no width of its own.
    while (place?.parentElement && getComputedStyle(place).display === "contents") place = place.parentElement;
    if (!place) return;
    const measured = place;
    const measure = () => setRoom(measured.clientWidth);
    measure();
    if (typeof ResizeObserver !== "function") return;
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [frame]);
  return room;
}

function Sign({ box, kinds, full }: { box: CellBox; kinds: string[]; full: boolean }) {
  const [cx, cy] = centre(box);
  const unit = box.width / 100;
  const inset = (by: number) => ({
    x: box.x + by * unit,
    y: box.y + by * unit,
    width: box.width - 2 * by * unit,
    height: box.height - 2 * by * unit,
  });
  return (
    <g data-sign={kinds.join(" ")}>
      {kinds.includes("error") && <rect className="sign-error" {...inset(4.5)} strokeWidth={9 * unit} />}
      {kinds.includes("warning") && (
        <rect className="sign-warning" {...inset(3.5)} strokeWidth={7 * unit} strokeDasharray={`${20 * unit} ${12 * unit}`} />
      )}
      {kinds.includes("lit") && <rect className="sign-lit" {...inset(-4)} strokeWidth={8 * unit} />}
      {kinds.includes("selected") && <rect className="sign-selected" {...inset(3)} strokeWidth={6 * unit} />}
      {kinds.includes("target") &&
        (full ? (
          <rect
            className="sign-target-full"
            {...inset(5)}
            strokeWidth={8 * unit}
            strokeDasharray={[26, 38, 26, 0].map((part) => part * unit).join(" ")}
          />
        ) : (
          <circle className="sign-target" cx={cx} cy={cy} r={15 * unit} />
        ))}
    </g>
  );
}

function Outline({ box }: { box: CellBox }) {
  const edge = 2;
  const place = { x: box.x - edge, y: box.y - edge, width: box.width + 2 * edge, height: box.height + 2 * edge };
  return (
    <g className="sign-cursor">
      <rect {...place} strokeWidth={9} className="sign-cursor-halo" />
      <rect {...place} strokeWidth={5} />
    </g>
  );
}
