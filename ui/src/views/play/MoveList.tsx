import { useEffect, useRef, type KeyboardEvent } from "react";
import { Comment } from "./Comment";
import { siblingPath, isSamePlace, commentText, type CommentPlace } from "./edits";
import { listItems, labelVariation, moveText, spokenText, type Entry, type Item, type HasComment, type Turn } from "./moveRows";
import type { Game } from "./tree";

interface MoveListProps {
  game: Game;
  result: string | null;
  /** The comment that is being written. */
  editing: CommentPlace | null;
  onGo: (path: readonly number[]) => void;
  onEdit: (place: CommentPlace) => void;
  /** Editing ended. `text` is the new comment, or null if it is unchanged. */
  onEdited: (place: CommentPlace, text: string | null) => void;
}

/** Functions that every part of the list needs. */
interface Renderers {
  move: (entry: Entry) => React.ReactNode;
  comment: (entry: Entry, where: CommentPlace["where"]) => React.ReactNode;
  hasComment: HasComment;
}

/** All moves of a game with variations and comments. A click on a move shows its position. */
export function MoveList({ game, result, editing, onGo, onEdit, onEdited }: MoveListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => scrollToCurrent(list.current), [game]);
  const currentPath = game.path.slice(0, game.playedCount);
  const tabStop = (currentPath.length ? currentPath : [0]).join();
  const focusMove = useMoveFocus();

  const hasComment: HasComment = ({ node, path }, where) => Boolean(commentText(node[where])) || isSamePlace(editing, { path, where });
  const renderComment = (name: string, texts: readonly string[] | undefined, place: CommentPlace) => (
    <Comment
      name={name}
      text={commentText(texts)}
      isEditing={isSamePlace(editing, place)}
      onWrite={() => onEdit(place)}
      onDone={(text, byKey) => {
        if (byKey) focusMove();
        onEdited(place, text);
      }}
    />
  );
  const renderers: Renderers = {
    hasComment,
    move: (entry) => (
      <Move
        key={entry.path.join()}
        entry={entry}
        isCurrent={entry.path.join() === currentPath.join()}
        isTabStop={entry.path.join() === tabStop}
        onGo={onGo}
      />
    ),
    comment: ({ node, path }, where) => renderComment(`Comment ${where} ${moveText(node)}`, node[where], { path, where }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : null;
    if (direction === null || (event.target as HTMLElement).closest("textarea")) return;
    const newPath = siblingPath(game, currentPath, direction);
    event.preventDefault();
    if (newPath) onGo(newPath);
  };

  if (!game.children.length) {
    const place: CommentPlace = { path: [], where: "after" };
    const hasGameComment = Boolean(commentText(game.comments)) || isSamePlace(editing, place);
    return (
      <div className="moves-empty">
        <p className="muted">No moves yet. Click, drag or type.</p>
        {hasGameComment && renderComment("Comment on the game", game.comments, place)}
      </div>
    );
  }
  return (
    <ol className="moves" ref={list} aria-label="Moves" onKeyDown={onKeyDown}>
      {listItems(game.children, hasComment).map((item) => (
        <ListItem key={itemKey(item)} item={item} renderers={renderers} />
      ))}
      {result && result !== "*" && <li className="move-result">{result}</li>}
    </ol>
  );
}

/** Return the React key of an item. */
function itemKey(item: Item): string {
  if (item.kind === "row") return `row ${item.turns[0]![0]!.path.join()}`;
  if (item.kind === "comment") return `${item.where} ${item.entry.path.join()}`;
  return `${item.kind} ${(item.kind === "action" ? item.entry : item.first).path.join()}`;
}

/** One item of the list: a comment, a variation, an action or a row of moves. */
function ListItem({ item, renderers }: { item: Item; renderers: Renderers }) {
  if (item.kind === "comment") return <li className="said">{renderers.comment(item.entry, item.where)}</li>;
  if (item.kind === "variation") {
    return (
      <li className="variation">
        <span className="sr-only">Variation: </span>
        <Variation first={item.first} renderers={renderers} />
      </li>
    );
  }
  return (
    <li className={item.kind === "action" ? "quiet-line" : undefined}>
      <span className="move-number">{item.label}</span>
      {item.kind === "action" ? renderers.move(item.entry) : item.turns.map((turn) => <TurnMoves key={turn[0]!.path.join()} turn={turn} renderers={renderers} />)}
    </li>
  );
}

/** A move, or a group with the steps of a turn. */
function TurnMoves({ turn, renderers }: { turn: Turn; renderers: Renderers }) {
  if (turn.length === 1) return renderers.move(turn[0]!);
  return (
    <span className="turn-steps" role="group" aria-label={`Turn of ${turn.length} steps`}>
      {turn.map(renderers.move)}
    </span>
  );
}

interface MoveProps {
  entry: Entry;
  isCurrent: boolean;
  /** Whether the Tab key enters the list at this move. */
  isTabStop: boolean;
  onGo: (path: readonly number[]) => void;
}

/** A button that shows the position after a move. */
function Move({ entry: { node, path }, isCurrent, isTabStop, onGo }: MoveProps) {
  return (
    <button
      type="button"
      className={node.action && !node.step ? "move order" : "move"}
      aria-current={isCurrent ? "step" : undefined}
      aria-label={spokenText(node)}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => onGo(path)}
    >
      {moveText(node)}
    </button>
  );
}

/** A variation as one paragraph. Variations inside it are in parentheses after the move that they replace. */
function Variation({ first, renderers }: { first: Entry; renderers: Renderers }) {
  return (
    <>
      {labelVariation(first, renderers.hasComment).map(({ label, entry, alternatives }, index) => (
        <span key={entry.path.join()}>
          {index > 0 && " "}
          {renderers.hasComment(entry, "before") && <>{renderers.comment(entry, "before")} </>}
          {label && <span className="move-number">{label}</span>}
          {renderers.move(entry)}
          {renderers.hasComment(entry, "after") && <> {renderers.comment(entry, "after")}</>}
          {alternatives.map((alternative) => (
            <span key={alternative.path.join()} className="inner-variation">
              {" "}
              (<Variation first={alternative} renderers={renderers} />)
            </span>
          ))}
        </span>
      ))}
    </>
  );
}

/** Return a function that moves the focus to the current move after the next render. */
function useMoveFocus(): () => void {
  const shouldFocus = useRef(false);
  useEffect(() => {
    if (!shouldFocus.current) return;
    shouldFocus.current = false;
    document.querySelector<HTMLElement>(".moves .move[tabindex='0']")?.focus({ preventScroll: true });
  });
  return () => {
    shouldFocus.current = true;
  };
}

/** Scroll the list, but not the page, to the current move. If another move had the focus, move the focus too. */
function scrollToCurrent(list: HTMLElement | null): void {
  const current = list?.querySelector<HTMLElement>("[aria-current]");
  if (!list || !current) return;
  const focused = document.activeElement;
  if (focused !== current && focused?.classList.contains("move") && list.contains(focused)) current.focus({ preventScroll: true });
  const [listBox, moveBox] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (moveBox.top < listBox.top || moveBox.bottom > listBox.bottom) list.scrollTop += moveBox.top - listBox.top - listBox.height / 2;
}
