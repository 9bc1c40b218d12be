/** What a visitor likes, kept by the browser and known to no one else. */

import { useSyncExternalStore } from "react";
import { recall, remember } from "./hooks";

export interface Settings {
  coordinates: boolean;
  animation: boolean;
  sounds: boolean;
  /** How the men of each game are drawn, by its name. */
  looks: Record<string, string>;
  /** The colours of the board of each game, by its name. */
  boards: Record<string, string>;
  /** What is laid over boards, by the names of overlays. */
  overlays: readonly string[];
}

const KEY = "forsyth.settings";
const USUAL: Settings = { coordinates: true, animation: true, sounds: false, looks: {}, boards: {}, overlays: [] };

let current: Settings | null = null;
const listeners = new Set<() => void>();

function read(): Settings {
  try {
    return { ...USUAL, ...(JSON.parse(recall(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return USUAL;
  }
}

function now(): Settings {
  current ??= read();
  return current;
}

function subscribe(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent) => {
    if (event.key !== KEY) return;
    current = null;
    listener();
  };
  listeners.add(listener);
  addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", elsewhere);
  };
}

export function useSettings(): Settings {
  return useSyncExternalStore(subscribe, now, () => USUAL);
}

export function changeSettings(change: Partial<Settings>): void {
  current = { ...now(), ...change };
  remember(KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

/** The look and the board of a game as requests name them; nothing where they are the usual ones. */
export function lookOf(settings: Settings, game: string | null | undefined): { look?: string; board?: string } {
  const look = game ? settings.looks[game] : undefined;
  const board = game ? settings.boards[game] : undefined;
  return { ...(look ? { look } : {}), ...(board ? { board } : {}) };
}
