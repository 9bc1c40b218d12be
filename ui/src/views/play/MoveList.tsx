import { useEffect, useRef, type KeyboardEvent } from "react";
import { Comment } from "./Comment";
import { neighbour, samePlace, wordsOf, type CommentPlace } from "./edits";
import { itemsOf, labelled, shownMove, spokenMove, type Entry, type Item, type Says, type Turn } from "./rows";
import type { Game } from "./tree";

interface MoveListProps {
  game: Game;
  result: string | null;
  /** The comment that is being written. */
  writing: CommentPlace | null;
  onGo: (path: readonly number[]) => void;
  onWrite: (place: CommentPlace) => void;
  /** What was written, or null where the comment is to stay as it was. */
  onWritten: (place: CommentPlace, words: string | null) => void;
}

/** What every part of the list needs. */
interface Parts {
  move: (entry: Entry) => React.ReactNode;
  comment: (entry: Entry, where: CommentPlace["where"]) => React.ReactNode;
  says: Says;
}

/** All moves of a game, other lines included, each leading to its position, with what is said about them. */
export function MoveList({ game, result, writing, onGo, onWrite, onWritten }: MoveListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => keepInSight(list.current), [game]);
  const here = game.path.slice(0, game.at);
  const reached = (here.length ? here : [0]).join();
  const back = useFocusBack();

  const says: Says = ({ node, path }, where) => Boolean(wordsOf(node[where])) || samePlace(writing, { path, where });
  const commentOf = (name: string, texts: readonly string[] | undefined, place: CommentPlace) => (
    <Comment
      name={name}
      words={wordsOf(texts)}
      writing={samePlace(writing, place)}
      onWrite={() => onWrite(place)}
      onDone={(words, byKey) => {
        if (byKey) back();
        onWritten(place, words);
      }}
    />
  );
  const parts: Parts = {
    says,
    move: (entry) => (
      <Move
        key={entry.path.join()}
        entry={entry}
        current={entry.path.join() === here.join()}
        reached={entry.path.join() === reached}
        onGo={onGo}
      />
    ),
    comment: ({ node, path }, where) => commentOf(`Comment ${where} ${shownMove(node)}`, node[where], { path, where }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : null;
    if (by === null || (event.target as HTMLElement).closest("textarea")) return;
    const next = neighbour(game, here, by);
    event.preventDefault();
    if (next) onGo(next);
  };

  if (!game.children.length) {
    const place: CommentPlace = { path: [], where: "after" };
    const said = Boolean(wordsOf(game.comments)) || samePlace(writing, place);
    return (
      <div className="moves-empty">
        <p className="muted">No moves yet. Click, drag or type.</p>
        {said && commentOf("Comment on the game", game.comments, place)}
      </div>
    );
  }
  return (
    <ol className="moves" ref={list} aria-label="Moves" onKeyDown={onKeyDown}>
      {itemsOf(game.children, says).map((item) => (
        <ItemOf key={keyOf(item)} item={item} parts={parts} />
      ))}
      {result && result !== "*" && <li className="move-result">{result}</li>}
    </ol>
  );
}

function keyOf(item: Item): string {
  if (item.kind === "row") return `row ${item.turns[0]![0]!.path.join()}`;
  if (item.kind === "said") return `${item.where} ${item.entry.path.join()}`;
  return `${item.kind} ${(item.kind === "action" ? item.entry : item.first).path.join()}`;
}

function ItemOf({ item, parts }: { item: Item; parts: Parts }) {
  if (item.kind === "said") return <li className="said">{parts.comment(item.entry, item.where)}</li>;
  if (item.kind === "variation") {
    return (
      <li className="variation">
        <span className="sr-only">Variation: </span>
        <Variation first={item.first} parts={parts} />
      </li>
    );
  }
  return (
    <li className={item.kind === "action" ? "quiet-line" : undefined}>
      <span className="move-number">{item.label}</span>
      {item.kind === "action" ? parts.move(item.entry) : item.turns.map((turn) => <TurnOf key={turn[0]!.path.join()} turn={turn} parts={parts} />)}
    </li>
  );
}

/** A turn of several steps is one entry that holds them. */
function TurnOf({ turn, parts }: { turn: Turn; parts: Parts }) {
  if (turn.length === 1) return parts.move(turn[0]!);
  return (
    <span className="turn-steps" role="group" aria-label={`Turn of ${turn.length} steps`}>
      {turn.map(parts.move)}
    </span>
  );
}

interface MoveProps {
  entry: Entry;
  current: boolean;
  /** Whether the list is entered here by keys; from there on the arrow keys lead. */
  reached: boolean;
  onGo: (path: readonly number[]) => void;
}

function Move({ entry: { node, path }, current, reached, onGo }: MoveProps) {
  return (
    <button
      type="button"
      className={node.action && !node.step ? "move order" : "move"}
      aria-current={current ? "step" : undefined}
      aria-label={spokenMove(node)}
      tabIndex={reached ? 0 : -1}
      onClick={() => onGo(path)}
    >
      {shownMove(node)}
    </button>
  );
}

/** Another line in one paragraph; lines inside it stand in brackets behind what they replace. */
function Variation({ first, parts }: { first: Entry; parts: Parts }) {
  return (
    <>
      {labelled(first, parts.says).map(({ label, entry, others }, index) => (
        <span key={entry.path.join()}>
          {index > 0 && " "}
          {parts.says(entry, "before") && <>{parts.comment(entry, "before")} </>}
          {label && <span className="move-number">{label}</span>}
          {parts.move(entry)}
          {parts.says(entry, "after") && <> {parts.comment(entry, "after")}</>}
          {others.map((other) => (
            <span key={other.path.join()} className="inner-variation">
              {" "}
              (<Variation first={other} parts={parts} />)
            </span>
          ))}
        </span>
      ))}
    </>
  );
}

/** Gives the focus to the move on the board when a field that had it is gone. */
function useFocusBack(): () => void {
  const wanted = useRef(false);
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    document.querySelector<HTMLElement>(".moves .move[tabindex='0']")?.focus({ preventScroll: true });
  });
  return () => {
    wanted.current = true;
  };
}

/** Scroll a list, and not the page, to the move that is on the board; the focus goes with it where a move has it. */
function keepInSight(list: HTMLElement | null): void {
  const current = list?.querySelector<HTMLElement>("[aria-current]");
  if (!list || !current) return;
  const focused = document.activeElement;
  if (focused !== current && focused?.classList.contains("move") && list.contains(focused)) current.focus({ preventScroll: true });
  const [around, place] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (place.top < around.top || place.bottom > around.bottom) list.scrollTop += place.top - around.top - around.height / 2;
}
