/** The visitor's settings. They are stored in the browser only. */

import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "./hooks";

/** All settings. They are stored as JSON. */
export interface Settings {
  coordinates: boolean;
  animation: boolean;
  sounds: boolean;
  /** The piece set of each game, by the game's name. */
  looks: Record<string, string>;
  /** The board colours of each game, by the game's name. */
  boards: Record<string, string>;
  /** The names of the overlays that are switched on. */
  overlays: readonly string[];
}

const STORAGE_KEY = "forsyth.settings";
const DEFAULTS: Settings = { coordinates: true, animation: true, sounds: false, looks: {}, boards: {}, overlays: [] };

let cached: Settings | null = null;
const listeners = new Set<() => void>();

/** Read the settings from the browser's storage. Missing ones have their defaults. */
function readSettings(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(readStored(STORAGE_KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return DEFAULTS;
  }
}

/** Return the settings, read from the storage only once. */
function currentSettings(): Settings {
  cached ??= readSettings();
  return cached;
}

/** Call `listener` when the settings change in this tab or another one. Return a function that removes it. */
function subscribe(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== STORAGE_KEY) return;
    cached = null;
    listener();
  };
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

/** Return the settings, and re-render when they change, also in another tab. */
export function useSettings(): Settings {
  return useSyncExternalStore(subscribe, currentSettings, () => DEFAULTS);
}

/** Change some settings and store all of them. */
export function changeSettings(change: Partial<Settings>): void {
  cached = { ...currentSettings(), ...change };
  writeStored(STORAGE_KEY, JSON.stringify(cached));
  for (const listener of listeners) listener();
}

/** Return the request parameters `look` and `board` of a game. Defaults are left out. */
export function drawingChoices(settings: Settings, game: string | null | undefined): { look?: string; board?: string } {
  const look = game ? settings.looks[game] : undefined;
  const board = game ? settings.boards[game] : undefined;
  return { ...(look ? { look } : {}), ...(board ? { board } : {}) };
}
