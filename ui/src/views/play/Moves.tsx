import { useState } from "react";
import { useAnnounce } from "../../shell/Announcer";
import { Annotate } from "./Annotate";
import { GLYPHS, promoted, samePlace, withComment, withGlyph, withoutMove, type CommentPlace } from "./edits";
import { MoveList } from "./MoveList";
import { labelOf, shownMove } from "./rows";
import { lineTo, recordOf, sizeOf, type Game } from "./tree";

interface MovesProps {
  game: Game;
  result: string | null;
  onGo: (path: readonly number[]) => void;
  onChange: (change: (now: Game) => Game) => void;
}

/** What was deleted: the game before, what is left of it, and how to call it. */
interface Deleted {
  before: Game;
  left: string;
  words: string;
}

/** The tree of moves, and the means to annotate it; a deletion can be taken back until something else is changed. */
export function Moves({ game, result, onGo, onChange }: MovesProps) {
  const announce = useAnnounce();
  const [writing, setWriting] = useState<CommentPlace | null>(null);
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const here = game.path.slice(0, game.at);
  const node = lineTo(game, here).at(-1) ?? null;
  const lost = deleted && deleted.left === shapeOf(game) ? deleted : null;

  const remove = () => {
    if (!node) return;
    const left = withoutMove(game, here);
    const count = sizeOf(game.children) - sizeOf(left.children) - 1;
    const behind = count ? ` and ${count} ${count === 1 ? "move" : "moves"} behind it` : "";
    const words = `${labelOf(node)} ${shownMove(node)}${behind} deleted.`.trim();
    setDeleted({ before: game, left: shapeOf(left), words });
    setWriting(null);
    onChange(() => left);
    announce(words);
  };
  const bringBack = ({ before }: Deleted) => {
    setDeleted(null);
    onChange(() => before);
    announce("Brought back.");
  };
  const glyph = (nag: number) => {
    const set = !node?.nags?.includes(nag);
    onChange((now) => withGlyph(now, here, nag));
    announce(set ? `${GLYPHS.find((one) => one.nag === nag)?.name}.` : "Glyph removed.");
  };
  const written = (place: CommentPlace, words: string | null) => {
    // Another one may have been opened by the click that ended this one.
    setWriting((now) => (samePlace(now, place) ? null : now));
    if (words === null) return;
    onChange((now) => withComment(now, place, words));
    announce(words.trim() ? "Comment kept." : "Comment removed.");
  };
  /** The comment of the start stands before the first move, where there is one. */
  const comment = (): CommentPlace => {
    if (node) return { path: here, where: "after" };
    return game.children.length ? { path: [0], where: "before" } : { path: [], where: "after" };
  };

  return (
    <>
      <MoveList game={game} result={result} writing={writing} onGo={onGo} onWrite={setWriting} onWritten={written} />
      <Annotate
        node={node}
        path={here}
        onGlyph={glyph}
        onComment={() => setWriting(comment())}
        onPromote={() => (onChange((now) => promoted(now, here)), announce("Promoted."))}
        onDelete={remove}
      />
      {lost && (
        <p className="deleted">
          {lost.words}{" "}
          <button type="button" className="link" onClick={() => bringBack(lost)}>
            Undo delete
          </button>
        </p>
      )}
    </>
  );
}

/** The moves and what is said about them, without what the service adds. */
function shapeOf(game: Game): string {
  return JSON.stringify([game.game, game.start, game.comments, recordOf(game.children)], (key, value: unknown) =>
    ["number", "player", "step", "action"].includes(key) ? undefined : value,
  );
}
