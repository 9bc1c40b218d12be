/** The query by which one view hands a position to another. */
export function onwardQuery(text: string, game: string | null, variant: string): string {
  const query = Object.entries({ text, game, variant }).filter(([, value]) => value);
  return `?${query.map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`).join("&")}`;
}
