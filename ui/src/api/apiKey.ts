/** The API key of the service: stored in the browser, sent with each request, and asked for if the service refuses one. */

import { readStored, writeStored } from "../shell/hooks";
import { browserFetch } from "./transport";

const STORAGE_KEY = "forsyth.key";
const UNAUTHORIZED = 401;

/** Ask the visitor for the key. `isWrong` is true if the service has refused one. Return null if the visitor cancels. */
export type AskForKey = (isWrong: boolean) => Promise<string | null>;

let askForKey: AskForKey | null = null;
let question: Promise<boolean> | null = null;
/** Number of questions that the visitor has cancelled. */
let cancelCount = 0;

/** Set the function that asks for the key, or null for none. */
export function setAskForKey(ask: AskForKey | null): void {
  askForKey = ask;
}

/** Return the stored key, or "" if there is none. */
export function storedKey(): string {
  return readStored(STORAGE_KEY) ?? "";
}

/** Send a request with the stored key. If the service refuses it, ask the visitor for the key and send it again. */
export async function fetchWithKey(address: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const sentKey = storedKey();
    const cancelCountBefore = cancelCount;
    const headers = { ...(init.headers as Record<string, string> | undefined), ...(sentKey ? { "X-API-Key": sentKey } : {}) };
    const response = await browserFetch(address, { ...init, headers });
    if (response.status !== UNAUTHORIZED) return response;
    // A question that was cancelled after the request was sent also counts for the request.
    if (cancelCount !== cancelCountBefore || !(await obtainKey(sentKey))) return response;
  }
}

/** Report whether the store has a key other than the refused one. Ask for it if necessary. Requests share one question. */
async function obtainKey(refusedKey: string): Promise<boolean> {
  if (storedKey() !== refusedKey) return Boolean(storedKey());
  question ??= askAndStore(refusedKey !== "").finally(() => (question = null));
  return question;
}

/** Ask for the key and store it. Return false if the visitor cancels or the browser cannot store it. */
async function askAndStore(isWrong: boolean): Promise<boolean> {
  const key = await askForKey?.(isWrong);
  if (key) return writeStored(STORAGE_KEY, key);
  cancelCount += 1;
  return false;
}
