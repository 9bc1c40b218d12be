/** HTTP requests to the service: JSON calls and streamed answers. */

const BASE = "/api/v1";

/** A function like the browser's `fetch`. */
export type Fetch = (address: string, init?: RequestInit) => Promise<Response>;

/** The address of the service, and the function that sends requests to it. */
export interface Connection {
  /** The URL that `/api/v1` is appended to, such as `https://fen.example`. Default: the page's own origin. */
  baseUrl?: string | undefined;
  /** Replaces the browser's `fetch`, for example to add headers or to answer requests in a test. */
  fetch?: Fetch | undefined;
}

/** Send one request with a JSON body and return the parsed JSON answer. Throw `ApiError` on failure. */
export type Call = <T>(method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<T>;

/** An error answer of the service. `status` is the HTTP status, or 0 if the service could not be reached. */
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

/** Report whether `error` was thrown because its request was aborted. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Return the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Return the URL of a service path such as `/read`. */
export function serviceUrl(path: string, baseUrl = ""): string {
  return baseUrl.replace(/\/+$/, "") + BASE + path;
}

/** Return a function that calls the service at `baseUrl` through `fetch`. */
export function connect({ baseUrl, fetch: send = browserFetch }: Connection = {}): Call {
  return async <T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> => {
    const response = await sendRequest(send, serviceUrl(path, baseUrl), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      ...(signal ? { signal } : {}),
    });
    if (!response.ok) throw await readError(response);
    return parseJson(await response.text()) as T;
  };
}

/** Send a request. Throw `ApiError` with status 0 if no answer arrives. */
async function sendRequest(send: Fetch, address: string, init: RequestInit): Promise<Response> {
  try {
    return await send(address, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError("The service cannot be reached.", 0, "UNREACHABLE");
  }
}

/** Turn an error response into an `ApiError` with the message and code of its body. */
async function readError(response: Response): Promise<ApiError> {
  const body = (parseJson(await response.text()) ?? {}) as Record<string, unknown>;
  const message = String(body.error ?? body.detail ?? `The service answered with status ${response.status}.`);
  return new ApiError(message, response.status, String(body.code ?? response.status), body);
}

/** Yield the JSON lines of an answer that `send` streams, in batches as they arrive. Throw `ApiError` if the stream ends early. */
export async function* streamLines<T>(send: Fetch, method: string, path: string, body?: string, signal?: AbortSignal): AsyncGenerator<T[]> {
  const response = await sendRequest(send, serviceUrl(path), {
    method,
    ...(body === undefined ? {} : { body, headers: { "Content-Type": "application/x-ndjson" } }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok || !response.body) throw await readError(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unfinished = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (isAbort(error)) throw error;
      throw new ApiError("The answer of the service is incomplete.", 0, "BROKEN_OFF");
    });
    if (done) break;
    const lines = (unfinished + value).split("\n");
    unfinished = lines.pop() ?? "";
    if (lines.length) yield lines.filter(Boolean).map((line) => JSON.parse(line) as T);
  }
  if (unfinished.trim()) throw new ApiError("The answer of the service is incomplete.", 0, "BROKEN_OFF");
}

/** Call the current `fetch`. A page may replace it after this module was loaded. */
export function browserFetch(address: string, init?: RequestInit): Promise<Response> {
  return fetch(address, init);
}

/** Parse `text` as JSON. Return null if it is empty or not JSON. */
function parseJson(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
