import { useState } from "react";
import { useAnnounce } from "../../shell/Announcer";
import { Annotate } from "./Annotate";
import { GLYPHS, promoteVariation, isSamePlace, setComment, switchGlyph, removeMove, type CommentPlace } from "./edits";
import { MoveList } from "./MoveList";
import { moveLabel, moveText } from "./moveRows";
import { movesAlong, recordMoves, countMoves, type Game } from "./tree";

interface MovesProps {
  game: Game;
  result: string | null;
  onGo: (path: readonly number[]) => void;
  onChange: (change: (current: Game) => Game) => void;
}

/** A deletion: the game before it, the shape of the game after it, and a description. */
interface Deleted {
  before: Game;
  shapeAfter: string;
  message: string;
}

/** The move list with buttons to annotate it. A deletion can be undone until the game changes again. */
export function Moves({ game, result, onGo, onChange }: MovesProps) {
  const announce = useAnnounce();
  const [editing, setEditing] = useState<CommentPlace | null>(null);
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const currentPath = game.path.slice(0, game.playedCount);
  const node = movesAlong(game, currentPath).at(-1) ?? null;
  const lastDeletion = deleted && deleted.shapeAfter === serializeShape(game) ? deleted : null;

  const deleteMove = () => {
    if (!node) return;
    const remainingGame = removeMove(game, currentPath);
    const count = countMoves(game.children) - countMoves(remainingGame.children) - 1;
    const others = count ? ` and ${count} ${count === 1 ? "move" : "moves"} after it` : "";
    const message = `${moveLabel(node)} ${moveText(node)}${others} deleted.`.trim();
    setDeleted({ before: game, shapeAfter: serializeShape(remainingGame), message });
    setEditing(null);
    onChange(() => remainingGame);
    announce(message);
  };
  const undoDeletion = ({ before }: Deleted) => {
    setDeleted(null);
    onChange(() => before);
    announce("Deletion undone.");
  };
  const toggleGlyph = (nag: number) => {
    const isSet = !node?.nags?.includes(nag);
    onChange((current) => switchGlyph(current, currentPath, nag));
    announce(isSet ? `${GLYPHS.find((glyph) => glyph.nag === nag)?.name}.` : "Glyph removed.");
  };
  const finishComment = (place: CommentPlace, text: string | null) => {
    // The click that ended this edit may have opened another comment.
    setEditing((current) => (isSamePlace(current, place) ? null : current));
    if (text === null) return;
    onChange((current) => setComment(current, place, text));
    announce(text.trim() ? "Comment saved." : "Comment removed.");
  };
  /** Return the place of the comment to edit. At the start, it is the comment before the first move. */
  const commentPlace = (): CommentPlace => {
    if (node) return { path: currentPath, where: "after" };
    return game.children.length ? { path: [0], where: "before" } : { path: [], where: "after" };
  };

  return (
    <>
      <MoveList game={game} result={result} editing={editing} onGo={onGo} onEdit={setEditing} onEdited={finishComment} />
      <Annotate
        node={node}
        path={currentPath}
        onGlyph={toggleGlyph}
        onComment={() => setEditing(commentPlace())}
        onPromote={() => (onChange((current) => promoteVariation(current, currentPath)), announce("Promoted."))}
        onDelete={deleteMove}
      />
      {lastDeletion && (
        <p className="deleted">
          {lastDeletion.message}{" "}
          <button type="button" className="link" onClick={() => undoDeletion(lastDeletion)}>
            Undo delete
          </button>
        </p>
      )}
    </>
  );
}

/** Serialize moves, comments and glyphs, without the properties that the service adds. */
function serializeShape(game: Game): string {
  return JSON.stringify([game.game, game.start, game.comments, recordMoves(game.children)], (key, value: unknown) =>
    ["number", "player", "step", "action"].includes(key) ? undefined : value,
  );
}
