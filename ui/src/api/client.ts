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
  ValidationReport,
} from "./types";

const BASE = "/api/v1";

/** What the service said in place of an answer; status 0 means that it could not be reached. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly body: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "ApiError";
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(BASE + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError("The service cannot be reached.", 0, "UNREACHABLE");
  }
  const text = await response.text();
  let answer: unknown = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    answer = null;
  }
  if (response.ok) return answer as T;
  const problem = (answer ?? {}) as Record<string, unknown>;
  const message = String(problem.error ?? problem.detail ?? `The service answered ${response.status}.`);
  throw new ApiError(message, response.status, String(problem.code ?? response.status), problem);
}

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
  validateFen: (fen: string, signal?: AbortSignal) =>
    call<ValidationReport>("POST", "/validate-fen", { fen_string: fen }, signal),
  gameState: (fen: string) =>
    call<{ success: boolean; game_state: Record<string, unknown> }>("POST", "/game_state", { fen_string: fen }),
};

/** The address of a drawing, for `<img>`. */
export function drawing(text: string, game: string, theme: Theme, size: number): string {
  return `${BASE}/draw.svg${query({ text, game, theme, size })}`;
}
