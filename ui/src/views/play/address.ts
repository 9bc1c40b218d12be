/**
 * The address of a game: its fragment, which no server sees, holds the whole of it.
 *
 * A game that would make the address too long is kept by the browser, and the fragment holds its key. Every game with a
 * move in it is kept there as well, so that a new game puts none out of reach; the oldest go when there is no more room.
 */

import type { RecordNode } from "../../api/types";
import { recall, remember } from "../../shell/hooks";
import { fresh, recordOf, treeOf, type Game, type Source } from "./tree";

/** A game as it is kept, in as few letters as it takes. */
interface Kept {
  g: string;
  v?: string;
  s?: string;
  t?: Record<string, string>;
  r?: string;
  c?: string[];
  m?: (string | RecordNode)[];
  p?: number[];
  a?: number;
  x?: Source;
  d?: 1;
}

/** A game that can be gone back to. */
export interface Shelved {
  key: string;
  game: string;
  moves: string;
  when: number;
}

const PREFIX = "forsyth.game.";
/** Each game has an entry of its own: tabs that wrote one list together would lose entries. */
const ENTRY = "forsyth.shelf.";
const LAST = "forsyth.last-game";
/** Longest text of a game that an address holds, in characters. */
const LONGEST = 1500;
const MOST_SHELVED = 40;
const SHOWN = 6;

// --- text -------------------------------------------------------------------------------------------

function packed(game: Game): Kept {
  // Numbers of the main line are known when it is played again, unless another line is on the board.
  const line = recordOf(game.children).map((node) => (!game.path.some(Boolean) && plain(node) ? node.move : node));
  return {
    g: game.game,
    ...(game.variant ? { v: game.variant } : {}),
    ...(game.start ? { s: game.start } : {}),
    ...(Object.keys(game.tags).length ? { t: game.tags } : {}),
    ...(game.result ? { r: game.result } : {}),
    ...(game.comments.length ? { c: game.comments } : {}),
    ...(line.length ? { m: line } : {}),
    ...(game.path.some(Boolean) ? { p: game.path } : {}),
    ...(game.at < game.path.length ? { a: game.at } : {}),
    ...(game.source ? { x: game.source } : {}),
    ...(game.changed ? { d: 1 as const } : {}),
  };
}

/** Whether nothing is said of a move but its text. */
function plain(node: RecordNode): boolean {
  return !node.nags?.length && !node.before?.length && !node.after?.length && !node.variations?.length;
}

function unpacked(kept: Kept): Game {
  const line = (kept.m ?? []).map((node) => (typeof node === "string" ? { move: node } : node));
  const children = treeOf(line);
  const path = kept.p ?? line.map(() => 0);
  return {
    ...fresh(kept.g, kept.v ?? "", kept.s ?? ""),
    tags: kept.t ?? {},
    result: kept.r ?? null,
    comments: kept.c ?? [],
    children,
    path,
    at: kept.a ?? path.length,
    source: kept.x ?? null,
    changed: Boolean(kept.d),
  };
}

export function written(game: Game): string {
  return JSON.stringify(packed(game));
}

export function readGame(text: string | null): Game | null {
  try {
    const kept = JSON.parse(text ?? "null") as Kept | null;
    return kept && typeof kept.g === "string" ? unpacked(kept) : null;
  } catch {
    return null;
  }
}

function base64Of(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function textOf(base64: string): string | null {
  try {
    const bytes = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
  } catch {
    return null;
  }
}

// --- the browser's own storage ------------------------------------------------------------------------

export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => (byte % 36).toString(36)).join("");
}

/** A game, and what the browser keeps it under. */
export interface Held {
  game: Game;
  key: string;
}

/** What this page read or wrote last under a key: what is there now may be another page's. */
const seen = new Map<string, string>();

function held(key: string, text: string | null): Held | null {
  const game = readGame(text);
  if (!game || text === null) return null;
  seen.set(key, text);
  return { game, key };
}

/** The game that a fragment holds. */
export function gameOfFragment(fragment: string): Held | null {
  const [, key, base64] = /^#([a-z0-9]+)(?:\.([\w-]+))?$/.exec(fragment) ?? [];
  return key ? held(key, base64 ? textOf(base64) : recall(PREFIX + key)) : null;
}

/** A game that the browser keeps. */
export function gameOfKey(key: string): Held | null {
  return held(key, recall(PREFIX + key));
}

/** The game that was last on the board: in this tab, else in any. */
export function lastGame(): Held | null {
  const key = recall(LAST, "sessionStorage") ?? recall(LAST);
  return key ? gameOfKey(key) : null;
}

/** Keep a game; the answer is its key, another one where another page has gone on under the same, and its fragment. */
export function keepGame(game: Game, wanted: string): { key: string; fragment: string } {
  const text = written(game);
  const there = recall(PREFIX + wanted);
  const key = there === null || there === seen.get(wanted) || there === text ? wanted : newKey();
  const kept = game.children.length > 0 && shelve(game, key, text);
  seen.set(key, text);
  remember(LAST, key, "sessionStorage");
  if (kept) remember(LAST, key);
  return { key, fragment: kept && text.length > LONGEST ? `#${key}` : `#${key}.${base64Of(text)}` };
}

function shelve(game: Game, key: string, text: string): boolean {
  const moves = mainMoves(game);
  const entry: Shelved = { key, game: game.game, moves, when: Date.now() };
  let others = shelf().filter((one) => one.key !== key);
  while (!(remember(PREFIX + key, text) && remember(ENTRY + key, JSON.stringify(entry)))) {
    const oldest = others.at(-1);
    if (!oldest) return false;
    forget(oldest.key);
    others = others.slice(0, -1);
  }
  for (const one of others.slice(MOST_SHELVED - 1)) forget(one.key);
  return true;
}

function mainMoves(game: Game): string {
  const line = recordOf(game.children);
  const words = line.slice(0, SHOWN).map(({ move }) => move);
  return `${words.join(" ")}${line.length > SHOWN ? ` … (${line.length})` : ""}`;
}

function forget(key: string): void {
  try {
    localStorage.removeItem(ENTRY + key);
    localStorage.removeItem(PREFIX + key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** The games that were played here, the latest first. */
export function shelf(): Shelved[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(ENTRY));
    const entries = names.map((name) => JSON.parse(recall(name) ?? "null") as Shelved | null);
    const shelved = entries.filter((entry): entry is Shelved => entry !== null && recall(PREFIX + entry.key) !== null);
    return shelved.sort((a, b) => b.when - a.when);
  } catch {
    return [];
  }
}
