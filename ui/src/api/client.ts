import { addressOf, connect } from "./transport";
import type {
  EditAnswer,
  FixAnswer,
  GameInfo,
  LibraryPage,
  MatchView,
  PositionView,
  ReadAnswer,
  RecordAnswer,
  Saved,
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

export interface ReadRequest {
  text: string;
  game?: string;
  variant?: string;
  theme?: Theme;
  flip?: boolean;
  marks?: boolean;
}

/** What is known of a text beside itself. */
export interface Told {
  game?: string;
  variant?: string;
}

export interface MatchRequest {
  game: string;
  variant?: string;
  start?: string;
  moves: readonly string[];
  at?: number;
  theme?: Theme;
  flip?: boolean;
}

export interface EditRequest {
  text: string;
  game?: string;
  variant?: string;
  put?: { square: string; symbol: string | null };
  move?: { from: string; to: string };
  field?: { name: string; value: unknown };
  theme?: Theme;
  flip?: boolean;
}

export const api = {
  games: (signal?: AbortSignal) => call<{ games: GameInfo[] }>("GET", "/games", undefined, signal),
  read: (request: ReadRequest, signal?: AbortSignal) => call<ReadAnswer>("POST", "/read", request, signal),
  fix: (text: string, told: Told, signal?: AbortSignal) =>
    call<FixAnswer>("POST", "/fix", { text, ...told, least: "guess" }, signal),
  forms: (text: string, told: Told, signal?: AbortSignal) =>
    call<{ forms: Record<string, string | null> }>("POST", "/forms", { text, ...told }, signal),
  match: (request: MatchRequest, signal?: AbortSignal) => call<MatchView>("POST", "/match", request, signal),
  newGame: (game: string, options: { variant?: string; players?: number; seed?: number; start?: string }) =>
    call<PositionView>("POST", `/games/${encodeURIComponent(game)}/new`, options),
  readRecord: (record: string, game?: string) =>
    call<RecordAnswer>("POST", "/record/read", { record, ...(game ? { game } : {}) }),
  edit: (request: EditRequest, signal?: AbortSignal) => call<EditAnswer>("POST", "/edit", request, signal),
  library: (filter: { game?: string; tag?: string; q?: string; limit?: number; after?: string }, signal?: AbortSignal) =>
    call<LibraryPage>("GET", `/library${query(filter)}`, undefined, signal),
  save: (entry: { text: string; game?: string; variant?: string; name: string; tags: string[]; note?: string }) =>
    call<Saved>("POST", "/library", entry),
  change: (id: Saved["id"], change: { name?: string; tags?: string[]; note?: string }) =>
    call<Saved>("PATCH", `/library/${encodeURIComponent(id)}`, change),
  remove: (id: Saved["id"]) => call<unknown>("DELETE", `/library/${encodeURIComponent(id)}`),
};

/** The address of a drawing, for `<img>`. */
export function drawing(text: string, game: string, theme: Theme, size: number): string {
  return addressOf(`/draw.svg${query({ text, game, theme, size })}`);
}
