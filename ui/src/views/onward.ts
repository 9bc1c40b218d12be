/** The query by which one view hands a position to another. */
export function onwardQuery(text: string, game: string | null, variant: string): string {
  return queryOf({ text, game, variant });
}

/** The query of a comparison whose first text is given. */
export function compareQuery(a: string, { game = "", variant = "" }: { game?: string; variant?: string }, b = ""): string {
  return queryOf({ a, b, game, variant });
}

function queryOf(parameters: Record<string, string | null>): string {
  const query = Object.entries(parameters).filter(([, value]) => value);
  return `?${query.map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`).join("&")}`;
}
