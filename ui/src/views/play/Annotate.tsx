import { GLYPHS, variationPath } from "./edits";
import { moveLabel, moveText } from "./moveRows";
import type { Node } from "./tree";

interface AnnotateProps {
  /** The move on the board, or null at the start. */
  node: Node | null;
  path: readonly number[];
  onGlyph: (nag: number) => void;
  onComment: () => void;
  onPromote: () => void;
  onDelete: () => void;
}

/** Buttons for the move on the board: glyphs, comment, promote its variation, delete it. */
export function Annotate({ node, path, onGlyph, onComment, onPromote, onDelete }: AnnotateProps) {
  const name = node ? `${moveLabel(node)} ${moveText(node)}`.trim() : "the start";
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
        <button type="button" className="link" disabled={!variationPath(path)} onClick={onPromote}>
          Promote
        </button>
        <button type="button" className="link" disabled={!node} onClick={onDelete}>
          Delete
        </button>
      </span>
    </div>
  );
}
