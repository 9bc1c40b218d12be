/** Any JSON value as nested lists. */
export function Details({ value }: { value: unknown }) {
  if (Array.isArray(value)) {
    if (value.every((item) => item === null || typeof item !== "object")) {
      return <span>{value.length ? value.map(formatValue).join(", ") : "none"}</span>;
    }
    return (
      <ol className="fen-parts">
        {value.map((item, index) => (
          <li key={index}>
            <Details value={item} />
          </li>
        ))}
      </ol>
    );
  }
  if (value !== null && typeof value === "object") {
    return (
      <dl className="fen-parts">
        {Object.entries(value).map(([name, part]) => (
          <div key={name}>
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd>
              <Details value={part} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return <span>{formatValue(value)}</span>;
}

/** Return a simple value as text. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
