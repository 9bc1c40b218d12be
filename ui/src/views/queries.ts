/** Return the query string that opens a position in another view. */
export function positionQuery(text: string, game: string | null, variant: string): string {
  return queryString({ text, game, variant });
}

/** Return the query string that opens two texts in *Compare*. */
export function compareQuery(a: string, { game = "", variant = "" }: { game?: string; variant?: string }, b = ""): string {
  return queryString({ a, b, game, variant });
}

/** Return a query string without empty parameters. */
function queryString(parameters: Record<string, string | null>): string {
  const query = Object.entries(parameters).filter(([, value]) => value);
  return `?${query.map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`).join("&")}`;
}
