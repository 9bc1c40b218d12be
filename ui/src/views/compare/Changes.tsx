import type { DiffAnswer } from "../../api/types";
import { nameOf, type Contents } from "../../board/cells";

interface Props {
  difference: DiffAnswer;
  /** What is on the boards, which says what people call its places. */
  contents: Contents;
  lit: string | null;
  onLight: (square: string | null) => void;
}

/** Every difference: what stands where in A and in B. */
export function Changes({ difference: { same, fields, squares }, contents, lit, onLight }: Props) {
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
          <tr key={`square ${square}`} className={lit === square ? "lit" : ""} onMouseEnter={() => onLight(square)} onMouseLeave={() => onLight(null)}>
            <th scope="row">
              <button type="button" className="link" aria-label={`Show ${nameOf(contents, square)}`} onFocus={() => onLight(square)} onBlur={() => onLight(null)} onClick={() => onLight(square)}>
                {nameOf(contents, square)}
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

function Values({ a, b }: { a: string; b: string }) {
  return (
    <>
      <td>{a ? <code>{a}</code> : <span className="muted">empty</span>}</td>
      <td>{b ? <code>{b}</code> : <span className="muted">empty</span>}</td>
    </>
  );
}

export function counted({ same, fields, squares }: DiffAnswer): string {
  if (same) return "No differences.";
  const say = (count: number, word: string) => (count ? [`${count} ${word}${count === 1 ? "" : "s"}`] : []);
  return `${[...say(squares.length, "square"), ...say(fields.length, "field")].join(" and ")} differ.`;
}
