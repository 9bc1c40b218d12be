/**
 * Storage of games in the address and in the browser.
 *
 * The fragment of the address, which is never sent to a server, contains the whole game. If that would be too long, the
 * fragment contains only the key of the game in `localStorage`. Every game with a move is stored there as well. The oldest
 * games are removed when the storage is full.
 */

import type { RecordNode } from "../../api/types";
import { readStored, writeStored } from "../../shell/hooks";
import { newGame, recordMoves, buildTree, type Game, type Source } from "./tree";

/** A stored game. Its keys are short because it is part of the address. */
interface StoredGame {
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

/** An entry in the list of earlier games. `moves` are the first moves, `when` the time in milliseconds. */
export interface SavedGame {
  key: string;
  game: string;
  moves: string;
  when: number;
}

/** Prefix of the storage keys of games. */
const GAME_KEY_PREFIX = "forsyth.game.";
/** Prefix of the storage keys of list entries. In a single list, tabs would overwrite each other's entries. */
const ENTRY_KEY_PREFIX = "forsyth.shelf.";
const LAST_GAME_KEY = "forsyth.last-game";
/** Maximum length of a game in an address, in characters of JSON. */
const MAX_FRAGMENT_TEXT = 1500;
/** Maximum number of stored games. */
const MAX_SAVED_GAMES = 40;
/** Number of moves in a list entry. */
const PREVIEW_MOVES = 6;

// --- serialization ----------------------------------------------------------------------------------

/** Convert a game to its stored form. */
function packGame(game: Game): StoredGame {
  // The service returns the numbers of the main line again, so they are stored only for a variation.
  const line = recordMoves(game.children).map((node) => (!game.path.some(Boolean) && isPlainMove(node) ? node.move : node));
  return {
    g: game.game,
    ...(game.variant ? { v: game.variant } : {}),
    ...(game.start ? { s: game.start } : {}),
    ...(Object.keys(game.tags).length ? { t: game.tags } : {}),
    ...(game.result ? { r: game.result } : {}),
    ...(game.comments.length ? { c: game.comments } : {}),
    ...(line.length ? { m: line } : {}),
    ...(game.path.some(Boolean) ? { p: game.path } : {}),
    ...(game.playedCount < game.path.length ? { a: game.playedCount } : {}),
    ...(game.source ? { x: game.source } : {}),
    ...(game.changed ? { d: 1 as const } : {}),
  };
}

/** Report whether a move has no glyph, comment or variation. */
function isPlainMove(node: RecordNode): boolean {
  return !node.nags?.length && !node.before?.length && !node.after?.length && !node.variations?.length;
}

/** Convert a stored game back. */
function unpackGame(stored: StoredGame): Game {
  const line = (stored.m ?? []).map((node) => (typeof node === "string" ? { move: node } : node));
  const children = buildTree(line);
  const path = stored.p ?? line.map(() => 0);
  return {
    ...newGame(stored.g, stored.v ?? "", stored.s ?? ""),
    tags: stored.t ?? {},
    result: stored.r ?? null,
    comments: stored.c ?? [],
    children,
    path,
    playedCount: stored.a ?? path.length,
    source: stored.x ?? null,
    changed: Boolean(stored.d),
  };
}

/** Serialize a game as JSON. */
export function serializeGame(game: Game): string {
  return JSON.stringify(packGame(game));
}

/** Parse a game from JSON. Return null if `text` is null or not a game. */
export function parseGame(text: string | null): Game | null {
  try {
    const stored = JSON.parse(text ?? "null") as StoredGame | null;
    return stored && typeof stored.g === "string" ? unpackGame(stored) : null;
  } catch {
    return null;
  }
}

/** Encode a text as URL-safe base64. */
function encodeBase64(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Decode URL-safe base64. Return null if it is malformed. */
function decodeBase64(base64: string): string | null {
  try {
    const bytes = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
  } catch {
    return null;
  }
}

// --- browser storage ----------------------------------------------------------------------------------

/** Return a random key for a game. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => (byte % 36).toString(36)).join("");
}

/** A game and its key in the browser's storage. */
export interface KeyedGame {
  game: Game;
  key: string;
}

/** The text that this page last read or wrote for each key. If the stored text differs, another tab wrote it. */
const knownTexts = new Map<string, string>();

/** Parse a game and remember its text for the key. Return null if there is no game. */
function parseKeyedGame(key: string, text: string | null): KeyedGame | null {
  const game = parseGame(text);
  if (!game || text === null) return null;
  knownTexts.set(key, text);
  return { game, key };
}

/** Return the game of a fragment, or null. */
export function gameFromFragment(fragment: string): KeyedGame | null {
  const [, key, base64] = /^#([a-z0-9]+)(?:\.([\w-]+))?$/.exec(fragment) ?? [];
  return key ? parseKeyedGame(key, base64 ? decodeBase64(base64) : readStored(GAME_KEY_PREFIX + key)) : null;
}

/** Return the stored game with a key, or null. */
export function gameFromKey(key: string): KeyedGame | null {
  return parseKeyedGame(key, readStored(GAME_KEY_PREFIX + key));
}

/** Return the game that was last on the board in this tab, else in any tab. */
export function findLastGame(): KeyedGame | null {
  const key = readStored(LAST_GAME_KEY, "sessionStorage") ?? readStored(LAST_GAME_KEY);
  return key ? gameFromKey(key) : null;
}

/** Store a game. Return its fragment and key, which is a new one if another tab changed the game `wanted`. */
export function storeGame(game: Game, preferredKey: string): { key: string; fragment: string } {
  const text = serializeGame(game);
  const storedText = readStored(GAME_KEY_PREFIX + preferredKey);
  const key = storedText === null || storedText === knownTexts.get(preferredKey) || storedText === text ? preferredKey : newKey();
  const isSaved = game.children.length > 0 && saveGame(game, key, text);
  knownTexts.set(key, text);
  writeStored(LAST_GAME_KEY, key, "sessionStorage");
  if (isSaved) writeStored(LAST_GAME_KEY, key);
  return { key, fragment: isSaved && text.length > MAX_FRAGMENT_TEXT ? `#${key}` : `#${key}.${encodeBase64(text)}` };
}

/** Store a game and its list entry. Remove the oldest games if there is no space. Return false if the storage is blocked. */
function saveGame(game: Game, key: string, text: string): boolean {
  const moves = previewMoves(game);
  const entry: SavedGame = { key, game: game.game, moves, when: Date.now() };
  let olderGames = listSavedGames().filter((item) => item.key !== key);
  while (!(writeStored(GAME_KEY_PREFIX + key, text) && writeStored(ENTRY_KEY_PREFIX + key, JSON.stringify(entry)))) {
    const oldest = olderGames.at(-1);
    if (!oldest) return false;
    deleteGame(oldest.key);
    olderGames = olderGames.slice(0, -1);
  }
  for (const item of olderGames.slice(MAX_SAVED_GAMES - 1)) deleteGame(item.key);
  return true;
}

/** Return the first moves of the main line and, if there are more, their number. */
function previewMoves(game: Game): string {
  const line = recordMoves(game.children);
  const preview = line.slice(0, PREVIEW_MOVES).map(({ move }) => move);
  return `${preview.join(" ")}${line.length > PREVIEW_MOVES ? ` … (${line.length})` : ""}`;
}

/** Remove a stored game. */
function deleteGame(key: string): void {
  try {
    localStorage.removeItem(ENTRY_KEY_PREFIX + key);
    localStorage.removeItem(GAME_KEY_PREFIX + key);
  } catch {
    // Blocked storage contains no games.
  }
}

/** List the stored games, latest first. */
export function listSavedGames(): SavedGame[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(ENTRY_KEY_PREFIX));
    const entries = names.map((name) => JSON.parse(readStored(name) ?? "null") as SavedGame | null);
    const savedGames = entries.filter((entry): entry is SavedGame => entry !== null && readStored(GAME_KEY_PREFIX + entry.key) !== null);
    return savedGames.sort((a, b) => b.when - a.when);
  } catch {
    return [];
  }
}
