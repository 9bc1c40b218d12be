import { useEffect, useId, useMemo, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import type { Token } from "../api/types";
import { useBeforePaint } from "../beforePaint";
import { Annotations, useAnnotations } from "./annotations";
import { contentOf, contentsByCell, cellName, describeTokens, type Contents, type Drawing } from "./cells";
import { measureCells, groupOf, findNeighbour, sortForReading, type CellBox, type Direction } from "./geometry";
import { useGhost } from "./ghost";
import { parsePicture, applyStyle } from "./picture";
import { reflow } from "./reflow";
import { BadgeSign, Cursor, drawCover, drawUnderSigns, OverSigns, type Badge, type OverSign, type UnderSign } from "./Signs";
import { findTokenMoves, animateMoves, prefersReducedMotion } from "./moveAnimation";
import { usePointer } from "./usePointer";

export type { Drawing } from "./cells";

type Cells = ReadonlySet<string>;

/** The properties of a board. Cells are given by their ids, or by their groups where this is stated. */
export interface BoardProps {
  /** The drawing of the position. Callers keep the last one until the next arrives. */
  drawing: Drawing | null;
  label: string;
  description?: string;
  /** Cells or groups whose pieces can be moved. */
  origins?: Cells;
  selected?: string | null;
  targets?: Cells;
  /** Cells whose pieces move together with the selected one. */
  movingCells?: Cells;
  /** Highlighted cells. */
  highlighted?: Cells;
  /** Badges by cell, such as the points of a move. */
  badges?: ReadonlyMap<string, Badge> | undefined;
  /** Covers, drawn under the pieces. */
  overlays?: readonly Covering[] | undefined;
  /** Cells with errors, cells with warnings, and the messages for screen readers by cell. */
  errors?: Cells | undefined;
  warnings?: Cells | undefined;
  notes?: ReadonlyMap<string, string> | undefined;
  /** Cells of pieces in check. */
  checked?: Cells;
  /** Whether the drawing belongs to an older text. */
  stale?: boolean;
  /** Whether a new drawing was requested. The board fades if that takes long. */
  outdated?: boolean;
  /** Whether moves are animated. The system's wish for reduced motion has priority. */
  animated?: boolean;
  /** Whether coordinates are shown. */
  coordinates?: boolean;
  /** A cell was clicked, or its pieces are being dragged. `token` is null if it stands for the whole cell. */
  onPick?: (cell: string, token: Token | null, dragging: boolean) => void;
  /** Pieces were dropped on a cell. Return false to put them back. Otherwise they stay there until the next drawing. */
  onDrop?: (from: string, to: string) => boolean | Promise<boolean>;
  /** A pressed pointer enters a cell, as a brush does. If this is set, pieces cannot be dragged. */
  onStroke?: ((cell: string) => void) | undefined;
  /** Pieces of `from` were dropped outside the board. */
  onDropOff?: (from: string) => void;
  /** A cell is to be erased, by the right button, a long press or `Delete`. If this is set, arrows cannot be drawn. */
  onErase?: (cell: string) => void;
  onHover?: (cell: string | null) => void;
  onEscape?: () => void;
  /** Handles keys while the board is used with a pointer. Returns true if it used the key. */
  onKey?: (event: KeyboardEvent) => boolean;
  /** A choice that is shown on a cell. */
  question?: { cell: string; choices: ReactNode } | null;
  /** Whether the captions are shown below the board. Default: true. */
  captions?: boolean;
  children?: ReactNode;
}

/** A set of covered cells. `owner` selects colour and hatching. */
export interface Covering {
  owner: string;
  cells: readonly string[];
}

const NO_CELLS: Cells = new Set();
const EMPTY_LAYOUT: Layout = { boxes: [], size: [875, 875] };

/** The cells and the size of a drawing after line wrapping. */
interface Layout {
  boxes: CellBox[];
  size: [number, number];
}

/** An interactive board with pointer and keyboard input, marks, arrows and animation. */
export function Board(props: BoardProps) {
  const { drawing, origins = NO_CELLS, targets = NO_CELLS, movingCells = NO_CELLS, highlighted = NO_CELLS, selected = null } = props;
  const { errors = NO_CELLS, warnings = NO_CELLS, checked = NO_CELLS } = props;
  const frame = useRef<HTMLDivElement>(null);
  const boardRef = useRef<HTMLDivElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const stage = useRef<SVGGElement>(null);
  const question = useRef<HTMLDivElement>(null);
  const answeredByKeys = useRef(false);
  const ghost = useGhost();
  const [{ boxes, size }, setLayout] = useState(EMPTY_LAYOUT);
  const [cursor, setCursor] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const [usesKeys, setUsesKeys] = useState(true);
  const helpId = useId();

  const picture = useMemo(() => (drawing ? parsePicture(drawing.svg) : null), [drawing?.svg]);
  const contents = useMemo(() => contentsByCell(drawing?.scene), [drawing?.scene]);
  const annotations = useAnnotations(drawing?.svg);
  const availableWidth = useAvailableWidth(frame);

  useBeforePaint(() => {
    if (!paper.current) return;
    if (!picture) {
      paper.current.replaceChildren();
      setLayout(EMPTY_LAYOUT);
      return;
    }
    const node = document.importNode(picture.root, true);
    const removeStyle = applyStyle(node, picture.style);
    paper.current.replaceChildren(node);
    const newSize = reflow(node, picture.size, availableWidth);
    ghost.ref.current?.replaceChildren();
    setLayout({ boxes: sortForReading(measureCells(node)), size: newSize });
    return removeStyle;
  }, [picture, availableWidth]);

  const byId = useMemo(() => new Map(boxes.map((box) => [box.id, box])), [boxes]);
  const isIn = (set: Cells, id: string) => set.has(id) || set.has(groupOf(id));

  const wasDropped = useRef(false);
  useMoveAnimation(stage, byId, contents, Boolean(props.animated), wasDropped);

  useBeforePaint(() => {
    const removers = boxes.flatMap((box) => {
      const kinds: UnderSign[] = [];
      if (isIn(errors, box.id)) kinds.push("error");
      else if (isIn(warnings, box.id)) kinds.push("warning");
      if (checked.has(box.id)) kinds.push("check");
      if (selected === box.id) kinds.push("selected");
      return kinds.length ? [drawUnderSigns(box, kinds)] : [];
    });
    return () => removers.forEach((remove) => remove());
  }, [boxes, checked, errors, selected, warnings]);

  const overlaysKey = JSON.stringify(props.overlays ?? []);
  useBeforePaint(() => {
    const removers = (JSON.parse(overlaysKey) as Covering[]).flatMap(({ owner, cells }) =>
      cells.flatMap((cell) => {
        const box = byId.get(cell);
        return box ? [drawCover(box, owner)] : [];
      }),
    );
    return () => removers.forEach((remove) => remove());
  }, [byId, overlaysKey]);

  useBeforePaint(() => {
    for (const box of boxes) box.element.classList.toggle("origin", isIn(origins, box.id));
  }, [boxes, origins]);

  /** Describe a cell for screen readers: its name, its pieces and its marks. */
  const describeCell = (box: CellBox) => {
    const { tokens, note } = contentOf(contents, box.id);
    const message = props.notes?.get(box.id) ?? props.notes?.get(groupOf(box.id)) ?? note;
    const state = [
      isIn(targets, box.id) && "target",
      selected !== null && selected === box.id && "selected",
      checked.has(box.id) && "in check",
      annotations.arrows.some(({ from, to }) => from === box.id && to === box.id) && "circled",
      props.badges?.get(groupOf(box.id))?.spoken,
      message && `: ${message}`,
    ].filter(Boolean);
    return [`${cellName(contents, box.id)} ${describeTokens(tokens)}`, ...state].join(", ");
  };

  const pointer = usePointer(boardRef, ghost, {
    byId,
    contents,
    canDrag: (cell) => isIn(origins, cell),
    onPress: () => setUsesKeys(false),
    onPick: (cell, token, dragging) => {
      if (!dragging) setCursor(cell);
      annotations.clear();
      props.onPick?.(cell, token, dragging);
    },
    onDrop: props.onDrop && ((from, to) => ((wasDropped.current = true), props.onDrop!(from, to))),
    onHover: props.onHover,
    onAim: (from, to) => (props.onErase ? undefined : annotations.showPreview(to === null ? null : { from, to })),
    onPoint: (from, to) => (props.onErase ? from === to && props.onErase(to) : annotations.toggle({ from, to })),
    onStroke: props.onStroke,
    onDropOff: props.onDropOff,
  });

  const arrowFrom = useRef<string | null>(null);
  /** Draw with the keyboard: `c` circles a cell, `a` starts or ends an arrow. Return whether `key` was used. */
  const drawWithKey = (key: string, cell: string): boolean => {
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
      // The choice on the board handles its own keys.
      if (event.key !== "Escape") return;
    }
    if (!usesKeys && props.onKey?.(event)) return;
    setUsesKeys(true);
    if (event.key === "Escape") {
      annotations.clear();
      return props.onEscape?.();
    }
    const current = (cursor && byId.get(cursor)) || boxes[0];
    if (!current) return;
    const next = cellForKey(event.key, boxes, current, cursor !== null);
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
    } else if (cursor && !props.onErase && drawWithKey(event.key, cursor)) {
      event.preventDefault();
    }
  };

  useEffect(() => {
    if (cursor && boxes.length && !byId.has(cursor)) setCursor(null);
  }, [byId, boxes, cursor]);

  const [width, height] = size;
  const proportions = { "--board-w": width, "--board-h": height } as CSSProperties;
  const questionBox = props.question ? byId.get(props.question.cell) : undefined;
  useBeforePaint(() => shiftInside(question.current, boardRef.current));
  useBeforePaint(() => {
    if (questionBox || !answeredByKeys.current) return;
    // The focused button is gone, so the focus returns to the board.
    answeredByKeys.current = false;
    boardRef.current?.focus({ preventScroll: true });
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
        ref={boardRef}
        className={classes.join(" ")}
        role="application"
        aria-roledescription="board"
        aria-label={props.label}
        aria-describedby={helpId}
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...pointer}
        onPointerLeave={() => props.onHover?.(null)}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          setUsesKeys(true);
          props.onHover?.(null);
        }}
      >
        <div ref={paper} className="forsyth-paper" aria-hidden="true" />
        <svg className="forsyth-overlay" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {boxes.map((box) => {
            const kinds: OverSign[] = [];
            if (isIn(highlighted, box.id)) kinds.push("lit");
            if (movingCells.has(box.id)) kinds.push("taken");
            if (isIn(targets, box.id)) kinds.push("target");
            const isOccupied = contentOf(contents, box.id).tokens.length > 0;
            return kinds.length ? <OverSigns key={box.id} box={box} kinds={kinds} isOccupied={isOccupied} /> : null;
          })}
          {[...(props.badges ?? [])].map(([cell, badge]) => {
            const box = byId.get(cell);
            return box ? <BadgeSign key={cell} box={box} badge={badge} /> : null;
          })}
          <Annotations arrows={annotations.arrows} byId={byId} />
          {annotations.preview && <Annotations arrows={[annotations.preview]} byId={byId} isPreview />}
          {focused && usesKeys && cursorBox && <Cursor box={cursorBox} />}
          <g ref={stage} />
          <g ref={ghost.ref} className="forsyth-ghost" />
        </svg>
        {questionBox && (
          <div
            ref={question}
            className="forsyth-question"
            style={choicePosition(questionBox, size)}
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
      <p id={helpId} className="sr-only">
        {props.description} The arrow keys move over the board.{props.onPick ? " Enter picks up or puts down." : ""}
        {props.onErase ? " Delete erases." : " C draws a circle, A draws an arrow."}
      </p>
      <p className="sr-only" aria-live="polite">
        {focused && cursorBox ? describeCell(cursorBox) : ""}
      </p>
    </div>
  );
}

/** Return the cell that a key moves to, null if there is none, or undefined if the key does not move the cursor. */
function cellForKey(key: string, boxes: readonly CellBox[], current: CellBox, hasCursor: boolean): CellBox | null | undefined {
  if (key.startsWith("Arrow")) return hasCursor ? findNeighbour(boxes, current, key as Direction) : current;
  if (key === "Home") return boxes[0] ?? null;
  if (key === "End") return boxes[boxes.length - 1] ?? null;
  return undefined;
}

/** Shift a choice sideways so that it does not stick out of the board. */
function shiftInside(choice: HTMLElement | null, board: HTMLElement | null): void {
  if (!choice || !board) return;
  choice.style.setProperty("--shift", "0px");
  const [choiceBox, boardBox] = [choice.getBoundingClientRect(), board.getBoundingClientRect()];
  const shift = Math.max(0, boardBox.left - choiceBox.left) - Math.max(0, choiceBox.right - boardBox.right);
  choice.style.setProperty("--shift", `${shift}px`);
}

/** Return the position of a choice: below its cell in the upper half of the board, else above it. */
function choicePosition(box: CellBox, [width, height]: readonly [number, number]): CSSProperties {
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)}%`;
  const left = Math.min(Math.max(box.x + box.width / 2, width * 0.25), width * 0.75);
  const below = box.y < height / 2;
  return {
    left: percent(left, width),
    ...(below ? { top: percent(box.y + box.height, height) } : { bottom: percent(height - box.y, height) }),
  };
}

/** Animate the pieces that moved since the last drawing, unless the visitor dropped them there. */
function useMoveAnimation(
  stage: RefObject<SVGGElement | null>,
  byId: ReadonlyMap<string, CellBox>,
  contents: Contents,
  animated: boolean,
  dropped: RefObject<boolean>,
): void {
  const previous = useRef<{ contents: Contents; byId: ReadonlyMap<string, CellBox> } | null>(null);
  useBeforePaint(() => {
    const last = previous.current;
    if (last?.byId === byId) return;
    previous.current = { contents, byId };
    const wasCarried = dropped.current;
    dropped.current = false;
    if (!last?.byId.size || !stage.current || !animated || wasCarried || prefersReducedMotion()) return;
    return animateMoves(stage.current, byId, findTokenMoves(last.contents, contents));
  }, [byId]);
}

/** Return the width that is available for a board, in pixels, or 0 until it is known. */
function useAvailableWidth(frame: RefObject<HTMLDivElement | null>): number {
  const [availableWidth, setAvailableWidth] = useState(0);
  useBeforePaint(() => {
    let place = frame.current?.parentElement;
    // An element with `display: contents` has no width.
    while (place?.parentElement && getComputedStyle(place).display === "contents") place = place.parentElement;
    if (!place) return;
    const measured = place;
    const measure = () => setAvailableWidth(measured.clientWidth);
    measure();
    if (typeof ResizeObserver !== "function") return;
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [frame]);
  return availableWidth;
}
