import { addressOf, connect, streamed } from "./transport";
import type {
  ChangeRequest,
  Checked,
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
  Repaired,
  Saved,
  SaveRequest,
  Theme,
} from "./types";

export { ApiError, isAbort, sentence } from "./transport";

/** The page is served by the service that it asks. */
const call = connect();

function query(parameters: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

/** What is known of a text beside itself. */
export interface Told {
  game?: string;
  variant?: string;
}

export const api = {
  games: (signal?: AbortSignal) => call<GamesAnswer>("GET", "/games", undefined, signal),
  read: (request: ReadRequest, signal?: AbortSignal) => call<ReadAnswer>("POST", "/read", request, signal),
  fix: (text: string, told: Told, signal?: AbortSignal) =>
    call<FixAnswer>("POST", "/fix", { text, ...told, least: "guess" }, signal),
  partial: (request: PartialRequest, signal?: AbortSignal) => call<PartialAnswer>("POST", "/partial", request, signal),
  diff: (a: string, b: string, told: Told, signal?: AbortSignal) =>
    call<DiffAnswer>("POST", "/diff", { a, b, ...told }, signal),
  forms: (text: string, told: Told, signal?: AbortSignal) =>
    call<FormsAnswer>("POST", "/forms", { text, ...told }, signal),
  match: (request: MatchRequest, signal?: AbortSignal) => call<MatchView>("POST", "/match", request, signal),
  readMove: (text: string, told: Told, move: string) => call<MoveAnswer>("POST", "/move", { text, ...told, move }),
  explain: (text: string, told: Told, from: string, to: string, piece: string) =>
    call<ExplainAnswer>("POST", "/explain", { text, ...told, from, to, piece }),
  reach: (text: string, told: Told, square: string, signal?: AbortSignal) =>
    call<ReachAnswer>("POST", "/reach", { text, ...told, square }, signal),
  play: (text: string, told: Told, move: string) => call<PlayAnswer>("POST", "/play", { text, ...told, move }),
  explore: (text: string, game: string, signal?: AbortSignal) =>
    call<ExploreAnswer>("GET", `/explore${query({ text, game })}`, undefined, signal),
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
    call<LibraryPage>("GET", `/library${query(filter)}`, undefined, signal),
  save: (entry: SaveRequest) =>
    call<Saved>("POST", "/library", entry),
  change: (id: Saved["id"], change: ChangeRequest) =>
    call<Saved>("PATCH", `/library/${encodeURIComponent(id)}`, change),
  remove: (id: Saved["id"]) => call<unknown>("DELETE", `/library/${encodeURIComponent(id)}`),
  /** Many texts at once; the answers come in parts. */
  checkAll: (texts: readonly string[], told: Told, signal: AbortSignal) =>
    streamed<Checked>("POST", `/batch/check${query({ ...told })}`, ndjson(texts), signal),
  fixAll: (texts: readonly string[], told: Told, signal: AbortSignal) =>
    streamed<Repaired>("POST", `/batch/fix${query({ ...told, least: "guess" })}`, ndjson(texts), signal),
  allSaved: (filter: LibraryFilter, signal?: AbortSignal) =>
    streamed<Saved>("GET", `/batch/library${query({ ...filter })}`, undefined, signal),
  importSaved: (lines: readonly string[]) => streamed<Imported>("POST", "/batch/library", lines.join("\n")),
};

export interface LibraryFilter {
  game?: string;
  tag?: string;
  q?: string;
}

/** What is said of a line of an import, and of all of them at its end. */
export type Imported = { line: number; message: string } | { kept: number; saved: number; refused: number };

function ndjson(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join("\n");
}

/** The address of the whole library as a file. */
export function libraryFile(filter: LibraryFilter): string {
  return addressOf(`/batch/library${query({ ...filter })}`);
}

export interface DrawingLook {
  theme?: Theme | "auto" | undefined;
  size?: number;
  flip?: boolean;
  look?: string | undefined;
  /** Whether the lines below the board are drawn. */
  captions?: boolean;
}

function lookQuery(text: string, told: Told, { flip, captions, ...look }: DrawingLook): string {
  return query({ text, ...told, ...look, ...(flip ? { flip: "true" } : {}), ...(captions === false ? { captions: "false" } : {}) });
}

/** The address of a drawing, for `<img>` and to be kept as a file. */
export function drawing(kind: "svg" | "png", text: string, told: Told, look: DrawingLook): string {
  return addressOf(`/draw.${kind}${lookQuery(text, told, look)}`);
}

/** The address of a page with one position that others may frame. */
export function embedded(text: string, told: Told, look: DrawingLook): string {
  return `/embed${lookQuery(text, told, look)}`;
}
