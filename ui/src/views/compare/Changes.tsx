import type { DiffAnswer } from "../../api/types";
import { cellName, type Contents } from "../../board/cells";

interface Props {
  difference: DiffAnswer;
  /** The content of both boards, which has the names of the squares. */
  contents: Contents;
  highlighted: string | null;
  onHighlight: (square: string | null) => void;
}

/** A table of all differences: square or field, content in A, content in B. */
export function Changes({ difference: { same, fields, squares }, contents, highlighted, onHighlight }: Props) {
  if (same) return <p className="muted">Both texts are the same position.</p>;
  return (
    <table className="changes">
      <thead>
        <tr>
          <th scope="col">Where</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
        </tr>
      </thead>
      <tbody>
        {squares.map(({ square, a, b }) => (
          <tr key={`square ${square}`} className={highlighted === square ? "lit" : ""} onMouseEnter={() => onHighlight(square)} onMouseLeave={() => onHighlight(null)}>
            <th scope="row">
              <button type="button" className="link" aria-label={`Show ${cellName(contents, square)}`} onFocus={() => onHighlight(square)} onBlur={() => onHighlight(null)} onClick={() => onHighlight(square)}>
                {cellName(contents, square)}
              </button>
            </th>
            <Values a={a} b={b} />
          </tr>
        ))}
        {fields.map(({ field, a, b }) => (
          <tr key={`field ${field}`}>
            <th scope="row">{field.replaceAll("_", " ")}</th>
            <Values a={a} b={b} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The two cells of a row. An absent value is shown as "empty". */
function Values({ a, b }: { a: string; b: string }) {
  return (
    <>
      <td>{a ? <code>{a}</code> : <span className="muted">empty</span>}</td>
      <td>{b ? <code>{b}</code> : <span className="muted">empty</span>}</td>
    </>
  );
}

/** Count the differences, as in "2 squares and 1 field differ." */
export function countDifferences({ same, fields, squares }: DiffAnswer): string {
  if (same) return "No differences.";
  const countWord = (count: number, word: string) => (count ? [`${count} ${word}${count === 1 ? "" : "s"}`] : []);
  return `${[...countWord(squares.length, "square"), ...countWord(fields.length, "field")].join(" and ")} differ.`;
}
