import { GLYPHS, variationOf } from "./edits";
import { labelOf, shownMove } from "./rows";
import type { Node } from "./tree";

interface AnnotateProps {
  /** The move on the board; none at the start. */
  node: Node | null;
  path: readonly number[];
  onGlyph: (nag: number) => void;
  onComment: () => void;
  onPromote: () => void;
  onDelete: () => void;
}

/** What can be done to the move on the board: a glyph, a comment, its place among the lines, or nothing of it left. */
export function Annotate({ node, path, onGlyph, onComment, onPromote, onDelete }: AnnotateProps) {
  const name = node ? `${labelOf(node)} ${shownMove(node)}`.trim() : "the start";
  return (
    <div className="annotate" role="group" aria-label={`Annotate ${name}`}>
      <span className="glyphs">
        {GLYPHS.map((glyph) => (
          <button
            key={glyph.nag}
            type="button"
            className="glyph"
            aria-label={glyph.name}
            title={glyph.name}
            aria-pressed={Boolean(node?.nags?.includes(glyph.nag))}
            disabled={!node}
            onClick={() => onGlyph(glyph.nag)}
          >
            {glyph.sign}
          </button>
        ))}
      </span>
      <span className="tree-actions">
        <button type="button" className="link" onClick={onComment}>
          Comment
        </button>
        <button type="button" className="link" disabled={!variationOf(path)} onClick={onPromote}>
          Promote
        </button>
        <button type="button" className="link" disabled={!node} onClick={onDelete}>
          Delete
        </button>
      </span>
    </div>
  );
}
