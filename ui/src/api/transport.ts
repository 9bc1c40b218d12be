/**
 * Calls to the service, wherever it is.
 *
 * `baseUrl` is the address under which `/api/v1` lies: an origin, a folder of one, or nothing for the page's own
 * origin. `fetch` is what carries the requests: another one adds headers, counts, or answers itself in a test.
 */

const BASE = "/api/v1";

export type Fetch = (address: string, init?: RequestInit) => Promise<Response>;

/** Where the service is, and what carries requests there. */
export interface Connection {
  /** The address under which `/api/v1` lies, such as `https://fen.example`; the page's own origin if left out. */
  baseUrl?: string | undefined;
  /** Used in place of the browser's `fetch`. */
  fetch?: Fetch | undefined;
}

export type Call = <T>(method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<T>;

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

/** The address of a path of the service. */
export function addressOf(path: string, baseUrl = ""): string {
  return baseUrl.replace(/\/+$/, "") + BASE + path;
}

export function connect({ baseUrl, fetch: carry = browserFetch }: Connection = {}): Call {
  return async <T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> => {
    const response = await reached(carry, addressOf(path, baseUrl), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      ...(signal ? { signal } : {}),
    });
    if (!response.ok) throw await refusal(response);
    return parsed(await response.text()) as T;
  };
}

async function reached(carry: Fetch, address: string, init: RequestInit): Promise<Response> {
  try {
    return await carry(address, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError("The service cannot be reached.", 0, "UNREACHABLE");
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const problem = (parsed(await response.text()) ?? {}) as Record<string, unknown>;
  const message = String(problem.error ?? problem.detail ?? `The service answered ${response.status}.`);
  return new ApiError(message, response.status, String(problem.code ?? response.status), problem);
}

/** The lines of an answer that comes in parts, as they come: some objects at a time. */
export async function* streamed<T>(method: string, path: string, body?: string, signal?: AbortSignal): AsyncGenerator<T[]> {
  const response = await reached(browserFetch, addressOf(path), {
    method,
    ...(body === undefined ? {} : { body, headers: { "Content-Type": "application/x-ndjson" } }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok || !response.body) throw await refusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (isAbort(error)) throw error;
      throw new ApiError("The service broke off its answer.", 0, "BROKEN_OFF");
    });
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length) yield lines.filter(Boolean).map((line) => JSON.parse(line) as T);
  }
  if (rest.trim()) throw new ApiError("The service broke off its answer.", 0, "BROKEN_OFF");
}

/** Looked up when it is called: a page may replace it after this was loaded. */
function browserFetch(address: string, init?: RequestInit): Promise<Response> {
  return fetch(address, init);
}

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
