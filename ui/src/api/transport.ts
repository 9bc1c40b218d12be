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
    let response: Response;
    try {
      response = await carry(addressOf(path, baseUrl), {
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
    const answer = parsed(await response.text());
    if (response.ok) return answer as T;
    const problem = (answer ?? {}) as Record<string, unknown>;
    const message = String(problem.error ?? problem.detail ?? `The service answered ${response.status}.`);
    throw new ApiError(message, response.status, String(problem.code ?? response.status), problem);
  };
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
