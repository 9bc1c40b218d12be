import { addressOf, connect } from "./transport";
import type {
  ChangeRequest,
  EditAnswer,
  EditRequest,
  FixAnswer,
  FormsAnswer,
  GamesAnswer,
  LibraryPage,
  MatchRequest,
  MatchView,
  NewRequest,
  PositionView,
  ReadAnswer,
  ReadRequest,
  RecordAnswer,
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
  forms: (text: string, told: Told, signal?: AbortSignal) =>
    call<FormsAnswer>("POST", "/forms", { text, ...told }, signal),
  match: (request: MatchRequest, signal?: AbortSignal) => call<MatchView>("POST", "/match", request, signal),
  newGame: (game: string, options: NewRequest) =>
    call<PositionView>("POST", `/games/${encodeURIComponent(game)}/new`, options),
  readRecord: (record: string, game?: string) =>
    call<RecordAnswer>("POST", "/record/read", { record, ...(game ? { game } : {}) }),
  edit: (request: EditRequest, signal?: AbortSignal) => call<EditAnswer>("POST", "/edit", request, signal),
  library: (filter: { game?: string; tag?: string; q?: string; limit?: number; after?: string }, signal?: AbortSignal) =>
    call<LibraryPage>("GET", `/library${query(filter)}`, undefined, signal),
  save: (entry: SaveRequest) =>
    call<Saved>("POST", "/library", entry),
  change: (id: Saved["id"], change: ChangeRequest) =>
    call<Saved>("PATCH", `/library/${encodeURIComponent(id)}`, change),
  remove: (id: Saved["id"]) => call<unknown>("DELETE", `/library/${encodeURIComponent(id)}`),
};

/** The address of a drawing, for `<img>`. */
export function drawing(text: string, game: string, theme: Theme, size: number): string {
  return addressOf(`/draw.svg${query({ text, game, theme, size })}`);
}
