import { useEffect, useId, useMemo, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import type { Token } from "../api/types";
import { useBeforePaint } from "../beforePaint";
import { Annotations, useAnnotations } from "./annotations";
import { contentOf, contentsOf, nameOf, sayTokens, type Contents, type Drawing } from "./cells";
import { cellBoxes, groupOf, neighbour, readingOrder, type CellBox, type Direction } from "./geometry";
import { useGhost } from "./ghost";
import { parsePicture, wear } from "./picture";
import { reflow } from "./reflow";
import { BadgeSign, Cursor, layCover, layUnder, Sign, type Badge, type Over, type Under } from "./Signs";
import { journeys, travel, wantsStillness } from "./travel";
import { usePointer } from "./usePointer";

export type { Drawing } from "./cells";

type Cells = ReadonlySet<string>;

export interface BoardProps {
  /** The position as the service draws it. The last one stays while the next is on its way. */
  drawing: Drawing | null;
  label: string;
  description?: string;
  /** Which cells can be taken up, by cell or by group. */
  origins?: Cells;
  selected?: string | null;
  targets?: Cells;
  /** What would go along with what is selected. */
  taken?: Cells;
  lit?: Cells;
  /** Short words on targets, such as what a move would score, and what a screen reader says of them. */
  badges?: ReadonlyMap<string, Badge> | undefined;
  /** What covers places, drawn over the grounds. */
  overlays?: readonly Covering[] | undefined;
  /** Cells to mark as wrong or doubtful, and what is said about them. */
  errors?: Cells | undefined;
  warnings?: Cells | undefined;
  notes?: ReadonlyMap<string, string> | undefined;
  /** Cells of who is in check. */
  checked?: Cells;
  /** Whether the drawing no longer belongs to the text. */
  stale?: boolean;
  /** Whether it is being read whether it still does: shown when that takes long. */
  outdated?: boolean;
  /** Whether tokens glide from place to place; never where the system wants less motion. */
  animated?: boolean;
  /** Whether names of rows and columns are shown. */
  coordinates?: boolean;
  onPick?: (cell: string, token: Token | null, dragging: boolean) => void;
  /** Whether a drop was taken; what was dropped lies there until the next drawing, or goes back. */
  onDrop?: (from: string, to: string) => boolean | Promise<boolean>;
  /** A pressed pointer goes over cells, as a brush does; then nothing is dragged. */
  onStroke?: ((cell: string) => void) | undefined;
  /** What was dragged was let go beside the board. */
  onDropOff?: (from: string) => void;
  /** The right button, a long press, or `Delete`: in place of arrows and circles. */
  onErase?: (cell: string) => void;
  onHover?: (cell: string | null) => void;
  onEscape?: () => void;
  /** Takes keys, such as those that step through a game, as long as the board is used with a pointer. */
  onKey?: (event: KeyboardEvent) => boolean;
  /** Something to choose from, on a cell. */
  question?: { cell: string; choices: ReactNode } | null;
  /** Whether the lines below the drawing are shown here; a view may have another place for them. */
  captions?: boolean;
  children?: ReactNode;
}

/** Something that covers cells: whose it is, or what it shows. */
export interface Covering {
  owner: string;
  cells: readonly string[];
}

const NOTHING: Cells = new Set();
const EMPTY: Layout = { boxes: [], size: [875, 875] };

/** A drawing as it lies on the page. */
interface Layout {
  boxes: CellBox[];
  size: [number, number];
}

export function Board(props: BoardProps) {
  const { drawing, origins = NOTHING, targets = NOTHING, taken = NOTHING, lit = NOTHING, selected = null } = props;
  const { errors = NOTHING, warnings = NOTHING, checked = NOTHING } = props;
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const stage = useRef<SVGGElement>(null);
  const question = useRef<HTMLDivElement>(null);
  const answeredByKeys = useRef(false);
  const ghost = useGhost();
  const [{ boxes, size }, setLayout] = useState(EMPTY);
  const [cursor, setCursor] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const [byKeys, setByKeys] = useState(true);
  const help = useId();

  const picture = useMemo(() => (drawing ? parsePicture(drawing.svg) : null), [drawing?.svg]);
  const contents = useMemo(() => contentsOf(drawing?.scene), [drawing?.scene]);
  const annotations = useAnnotations(drawing?.svg);
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
    ghost.ref.current?.replaceChildren();
    setLayout({ boxes: readingOrder(cellBoxes(node)), size: laid });
    return takeOff;
  }, [picture, room]);

  const byId = useMemo(() => new Map(boxes.map((box) => [box.id, box])), [boxes]);
  const isIn = (set: Cells, id: string) => set.has(id) || set.has(groupOf(id));

  const dropped = useRef(false);
  useJourneys(stage, byId, contents, Boolean(props.animated), dropped);

  useBeforePaint(() => {
    const offs = boxes.flatMap((box) => {
      const kinds: Under[] = [];
      if (isIn(errors, box.id)) kinds.push("error");
      else if (isIn(warnings, box.id)) kinds.push("warning");
      if (checked.has(box.id)) kinds.push("check");
      if (selected === box.id) kinds.push("selected");
      return kinds.length ? [layUnder(box, kinds)] : [];
    });
    return () => offs.forEach((off) => off());
  }, [boxes, checked, errors, selected, warnings]);

  const covered = JSON.stringify(props.overlays ?? []);
  useBeforePaint(() => {
    const offs = (JSON.parse(covered) as Covering[]).flatMap(({ owner, cells }) =>
      cells.flatMap((cell) => {
        const box = byId.get(cell);
        return box ? [layCover(box, owner)] : [];
      }),
    );
    return () => offs.forEach((off) => off());
  }, [byId, covered]);

  useBeforePaint(() => {
    for (const box of boxes) box.element.classList.toggle("origin", isIn(origins, box.id));
  }, [boxes, origins]);

  const sayCell = (box: CellBox) => {
    const { tokens, note } = contentOf(contents, box.id);
    const about = props.notes?.get(box.id) ?? props.notes?.get(groupOf(box.id)) ?? note;
    const state = [
      isIn(targets, box.id) && "target",
      selected !== null && selected === box.id && "selected",
      checked.has(box.id) && "in check",
      annotations.arrows.some(({ from, to }) => from === box.id && to === box.id) && "circled",
      props.badges?.get(groupOf(box.id))?.words,
      about && `: ${about}`,
    ].filter(Boolean);
    return [`${nameOf(contents, box.id)} ${sayTokens(tokens)}`, ...state].join(", ");
  };

  const pointer = usePointer(host, ghost, {
    byId,
    contents,
    canDrag: (cell) => isIn(origins, cell),
    onPress: () => setByKeys(false),
    onPick: (cell, token, dragging) => {
      if (!dragging) setCursor(cell);
      annotations.clear();
      props.onPick?.(cell, token, dragging);
    },
    onDrop: props.onDrop && ((from, to) => ((dropped.current = true), props.onDrop!(from, to))),
    onHover: props.onHover,
    onAim: (from, to) => (props.onErase ? undefined : annotations.aim(to === null ? null : { from, to })),
    onPoint: (from, to) => (props.onErase ? from === to && props.onErase(to) : annotations.toggle({ from, to })),
    onStroke: props.onStroke,
    onDropOff: props.onDropOff,
  });

  const arrowFrom = useRef<string | null>(null);
  /** Draw by keys: `c` circles a cell, `a` begins an arrow and ends it. */
  const draws = (key: string, cell: string): boolean => {
    if (key === "c") annotations.toggle({ from: cell, to: cell });
    else if (key !== "a") return false;
    else if (arrowFrom.current === null) arrowFrom.current = cell;
    else {
      annotations.toggle({ from: arrowFrom.current, to: cell });
      arrowFrom.current = null;
    }
    return true;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (question.current?.contains(event.target as Node)) {
      answeredByKeys.current = true;
      // What is to be chosen from has its own keys.
      if (event.key !== "Escape") return;
    }
    if (!byKeys && props.onKey?.(event)) return;
    setByKeys(true);
    if (event.key === "Escape") {
      annotations.clear();
      return props.onEscape?.();
    }
    const here = (cursor && byId.get(cursor)) || boxes[0];
    if (!here) return;
    const next = stepped(event.key, boxes, here, cursor !== null);
    if (next !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      if (!next) return;
      setCursor(next.id);
      props.onHover?.(next.id);
    } else if ((event.key === "Enter" || event.key === " ") && cursor && props.onPick) {
      event.preventDefault();
      const { tokens } = contentOf(contents, cursor);
      props.onPick(cursor, tokens.length === 1 ? (tokens[0] ?? null) : null, false);
    } else if (cursor && props.onErase && (event.key === "Delete" || event.key === "Backspace")) {
      event.preventDefault();
      props.onErase(cursor);
    } else if (cursor && !props.onErase && draws(event.key, cursor)) {
      event.preventDefault();
    }
  };

  useEffect(() => {
    if (cursor && boxes.length && !byId.has(cursor)) setCursor(null);
  }, [byId, boxes, cursor]);

  const [width, height] = size;
  const proportions = { "--board-w": width, "--board-h": height } as CSSProperties;
  const questionBox = props.question ? byId.get(props.question.cell) : undefined;
  useBeforePaint(() => keepWithin(question.current, host.current));
  useBeforePaint(() => {
    if (questionBox || !answeredByKeys.current) return;
    // What had the focus is gone: the keys go on with the board.
    answeredByKeys.current = false;
    host.current?.focus({ preventScroll: true });
  }, [questionBox]);
  const cursorBox = cursor ? byId.get(cursor) : undefined;
  const classes = [
    "forsyth-board",
    props.stale && "stale",
    props.outdated && "outdated",
    props.onPick && "live",
    props.coordinates === false && "bare",
  ].filter(Boolean);
  const captions = drawing?.scene.captions ?? [];

  return (
    <div ref={frame} className="forsyth-frame" style={proportions}>
      <div
        ref={host}
        className={classes.join(" ")}
        role="application"
        aria-roledescription="board"
        aria-label={props.label}
        aria-describedby={help}
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...pointer}
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
            const kinds: Over[] = [];
            if (isIn(lit, box.id)) kinds.push("lit");
            if (taken.has(box.id)) kinds.push("taken");
            if (isIn(targets, box.id)) kinds.push("target");
            const full = contentOf(contents, box.id).tokens.length > 0;
            return kinds.length ? <Sign key={box.id} box={box} kinds={kinds} full={full} /> : null;
          })}
          {[...(props.badges ?? [])].map(([cell, badge]) => {
            const box = byId.get(cell);
            return box ? <BadgeSign key={cell} box={box} badge={badge} /> : null;
          })}
          <Annotations arrows={annotations.arrows} byId={byId} />
          {annotations.aimed && <Annotations arrows={[annotations.aimed]} byId={byId} aimed />}
          {focused && byKeys && cursorBox && <Cursor box={cursorBox} />}
          <g ref={stage} />
          <g ref={ghost.ref} className="forsyth-ghost" />
        </svg>
        {questionBox && (
          <div
            ref={question}
            className="forsyth-question"
            style={placeOf(questionBox, size)}
            onPointerDown={() => (answeredByKeys.current = false)}
          >
            {props.question!.choices}
          </div>
        )}
        {props.children}
      </div>
      {props.captions !== false && (
        <div className="forsyth-captions" aria-hidden="true">
          {captions.length && !props.stale ? captions.map((line) => <p key={line}>{line}</p>) : <p>{"\u00a0"}</p>}
        </div>
      )}
      <p id={help} className="sr-only">
        {props.description} Arrow keys move over the board{props.onPick ? ", Enter takes or puts" : ""}
        {props.onErase ? ", Delete erases." : ", C draws a circle, A an arrow."}
      </p>
      <p className="sr-only" aria-live="polite">
        {focused && cursorBox ? sayCell(cursorBox) : ""}
      </p>
    </div>
  );
}

/** Where a key leads on a board: null where there is nothing, undefined where it leads nowhere. */
function stepped(key: string, boxes: readonly CellBox[], here: CellBox, known: boolean): CellBox | null | undefined {
  if (key.startsWith("Arrow")) return known ? neighbour(boxes, here, key as Direction) : here;
  if (key === "Home") return boxes[0] ?? null;
  if (key === "End") return boxes[boxes.length - 1] ?? null;
  return undefined;
}

/** Push a choice back onto its board where it is wider than the room at its cell. */
function keepWithin(choice: HTMLElement | null, board: HTMLElement | null): void {
  if (!choice || !board) return;
  choice.style.setProperty("--shift", "0px");
  const [inner, outer] = [choice.getBoundingClientRect(), board.getBoundingClientRect()];
  const shift = Math.max(0, outer.left - inner.left) - Math.max(0, inner.right - outer.right);
  choice.style.setProperty("--shift", `${shift}px`);
}

/** Where a choice stands: above its cell where there is room. */
function placeOf(box: CellBox, [width, height]: readonly [number, number]): CSSProperties {
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)}%`;
  const across = Math.min(Math.max(box.x + box.width / 2, width * 0.25), width * 0.75);
  const below = box.y < height / 2;
  return {
    left: share(across, width),
    ...(below ? { top: share(box.y + box.height, height) } : { bottom: share(height - box.y, height) }),
  };
}

/** Let what moved glide, unless it was carried there by hand. */
function useJourneys(
  stage: RefObject<SVGGElement | null>,
  byId: ReadonlyMap<string, CellBox>,
  contents: Contents,
  animated: boolean,
  dropped: RefObject<boolean>,
): void {
  const shown = useRef<{ contents: Contents; byId: ReadonlyMap<string, CellBox> } | null>(null);
  useBeforePaint(() => {
    const before = shown.current;
    if (before?.byId === byId) return;
    shown.current = { contents, byId };
    const carried = dropped.current;
    dropped.current = false;
    if (!before?.byId.size || !stage.current || !animated || carried || wantsStillness()) return;
    return travel(stage.current, byId, journeys(before.contents, contents));
  }, [byId]);
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
