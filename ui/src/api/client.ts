import { fetchWithKey } from "./apiKey";
import { serviceUrl, connect, streamLines } from "./transport";
import type {
  ChangeRequest,
  CheckedLine,
  EditAnswer,
  EditRequest,
  DiffAnswer,
  ExplainAnswer,
  ExploreAnswer,
  FixAnswer,
  FormsAnswer,
  GamesAnswer,
  LibraryPage,
  MatchRequest,
  MatchView,
  MoveAnswer,
  NewRequest,
  PartialAnswer,
  PartialRequest,
  PlayAnswer,
  PositionView,
  ReachAnswer,
  ReadAnswer,
  ReadRequest,
  RecordAnswer,
  RecordList,
  RecordWriteRequest,
  FixedLine,
  SavedPosition,
  SaveRequest,
  Theme,
} from "./types";

export { ApiError, isAbort, errorMessage } from "./transport";

/** Calls the service on the page's own origin, which also serves the page. */
const call = connect({ fetch: fetchWithKey });

/** Return a query string with a leading `?`, without empty parameters, or "" if there are none. */
function queryString(parameters: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

/** The game and variant of a text, as far as the visitor chose or the service detected them. */
export interface GameHint {
  game?: string;
  variant?: string;
}

/** One function per route of the service. Each throws `ApiError` on failure. */
export const api = {
  games: (signal?: AbortSignal) => call<GamesAnswer>("GET", "/games", undefined, signal),
  read: (request: ReadRequest, signal?: AbortSignal) => call<ReadAnswer>("POST", "/read", request, signal),
  fix: (text: string, hint: GameHint, signal?: AbortSignal) =>
    call<FixAnswer>("POST", "/fix", { text, ...hint, least: "guess" }, signal),
  partial: (request: PartialRequest, signal?: AbortSignal) => call<PartialAnswer>("POST", "/partial", request, signal),
  diff: (a: string, b: string, hint: GameHint, signal?: AbortSignal) =>
    call<DiffAnswer>("POST", "/diff", { a, b, ...hint }, signal),
  forms: (text: string, hint: GameHint, signal?: AbortSignal) =>
    call<FormsAnswer>("POST", "/forms", { text, ...hint }, signal),
  match: (request: MatchRequest, signal?: AbortSignal) => call<MatchView>("POST", "/match", request, signal),
  readMove: (text: string, hint: GameHint, move: string) => call<MoveAnswer>("POST", "/move", { text, ...hint, move }),
  explain: (text: string, hint: GameHint, from: string, to: string, piece: string) =>
    call<ExplainAnswer>("POST", "/explain", { text, ...hint, from, to, piece }),
  reach: (text: string, hint: GameHint, square: string, signal?: AbortSignal) =>
    call<ReachAnswer>("POST", "/reach", { text, ...hint, square }, signal),
  play: (text: string, hint: GameHint, move: string) => call<PlayAnswer>("POST", "/play", { text, ...hint, move }),
  explore: (text: string, game: string, signal?: AbortSignal) =>
    call<ExploreAnswer>("GET", `/explore${queryString({ text, game })}`, undefined, signal),
  newGame: (game: string, options: NewRequest) =>
    call<PositionView>("POST", `/games/${encodeURIComponent(game)}/new`, options),
  readRecord: (record: string, game?: string) =>
    call<RecordAnswer>("POST", "/record/read", { record, ...(game ? { game } : {}) }),
  listRecords: (record: string, game?: string) =>
    call<RecordList>("POST", "/record/list", { record, ...(game ? { game } : {}) }),
  writeRecord: (request: RecordWriteRequest, signal?: AbortSignal) =>
    call<{ record: string }>("POST", "/record/write", request, signal),
  edit: (request: EditRequest, signal?: AbortSignal) => call<EditAnswer>("POST", "/edit", request, signal),
  library: (filter: { game?: string; tag?: string; q?: string; limit?: number; after?: string }, signal?: AbortSignal) =>
    call<LibraryPage>("GET", `/library${queryString(filter)}`, undefined, signal),
  save: (entry: SaveRequest) =>
    call<SavedPosition>("POST", "/library", entry),
  change: (id: SavedPosition["id"], change: ChangeRequest) =>
    call<SavedPosition>("PATCH", `/library/${encodeURIComponent(id)}`, change),
  remove: (id: SavedPosition["id"]) => call<unknown>("DELETE", `/library/${encodeURIComponent(id)}`),
  /** Read and check many texts. Yield the answers in order, in batches as they arrive. */
  checkAll: (texts: readonly string[], hint: GameHint, signal: AbortSignal) =>
    streamLines<CheckedLine>(fetchWithKey, "POST", `/batch/check${queryString({ ...hint })}`, toNdjson(texts), signal),
  /** Repair many texts. Yield the answers in order, in batches as they arrive. */
  fixAll: (texts: readonly string[], hint: GameHint, signal: AbortSignal) =>
    streamLines<FixedLine>(fetchWithKey, "POST", `/batch/fix${queryString({ ...hint, least: "guess" })}`, toNdjson(texts), signal),
  /** Yield all saved positions that match `filter`, in batches as they arrive. */
  streamLibrary: (filter: LibraryFilter, signal?: AbortSignal) =>
    streamLines<SavedPosition>(fetchWithKey, "GET", `/batch/library${queryString({ ...filter })}`, undefined, signal),
  /** Save positions, one JSON object per line. Yield each rejected line, then the totals. */
  importLibrary: (lines: readonly string[]) => streamLines<ImportLine>(fetchWithKey, "POST", "/batch/library", lines.join("\n")),
};

/** A search in the library: game, tag, and words that the name, note or text must contain. */
export interface LibraryFilter {
  game?: string;
  tag?: string;
  q?: string;
}

/** One line of an import's answer: the error of a rejected line, or the totals in the last line. */
export type ImportLine = { line: number; message: string } | { kept: number; saved: number; refused: number };

/** Serialize `values` as JSON lines. */
function toNdjson(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join("\n");
}

/** Return the URL of a file with all saved positions that match `filter`. */
export function libraryUrl(filter: LibraryFilter): string {
  return serviceUrl(`/batch/library${queryString({ ...filter })}`);
}

/** Return the text of the file at `libraryUrl`. */
export async function loadLibraryFile(filter: LibraryFilter): Promise<string> {
  const lines: string[] = [];
  for await (const batch of api.streamLibrary(filter)) for (const saved of batch) lines.push(`${JSON.stringify(saved)}\n`);
  return lines.join("");
}

/** How the service draws a position. */
export interface DrawingOptions {
  theme?: Theme | "auto" | undefined;
  size?: number;
  flip?: boolean;
  look?: string | undefined;
  /** Whether the lines of text below the board are drawn. */
  captions?: boolean;
}

/** Return the query string that asks for a drawing of `text`. */
function drawingQuery(text: string, hint: GameHint, { flip, captions, ...options }: DrawingOptions): string {
  return queryString({ text, ...hint, ...options, ...(flip ? { flip: "true" } : {}), ...(captions === false ? { captions: "false" } : {}) });
}

/** Return the URL of a drawing, for `<img>` and downloads. */
export function drawingUrl(kind: "svg" | "png", text: string, hint: GameHint, options: DrawingOptions): string {
  return serviceUrl(`/draw.${kind}${drawingQuery(text, hint, options)}`);
}

/** Return the URL of a page that shows one position and may be framed by other sites. */
export function embedUrl(text: string, hint: GameHint, options: DrawingOptions): string {
  return `/embed${drawingQuery(text, hint, options)}`;
}
