import { connect, type Connection } from "../api/transport";
import type { EditAnswer, PaletteEntry, ReadAnswer, Theme, ValidationReport } from "../api/types";

/** The game and variant of a text. If the game is left out, the service detects it. */
export interface About {
  game?: string | null | undefined;
  variant?: string | null | undefined;
}

/** How a position is drawn. */
export interface Look {
  theme?: Theme | undefined;
  flip?: boolean | undefined;
}

/** A position as JSON data: its text and the fields of its game. */
export type GameState = { fen_string: string } & Record<string, unknown>;

/** The calls that the components make. A page can use them too. Each rejects with `ApiError` on failure. */
export interface Service {
  /** Return all errors and warnings of a text. */
  validate(fen: string, about?: About, signal?: AbortSignal): Promise<ValidationReport>;
  /** Return the position of a text as JSON data. */
  load(fen: string, about?: About): Promise<GameState>;
  /** Read, check and draw a text. */
  read(fen: string, about?: About & Look, signal?: AbortSignal): Promise<ReadAnswer>;
  /** Return the pieces that can stand on the board of a position, each with its name and drawing. */
  palette(fen: string, about?: About & Look): Promise<PaletteEntry[]>;
}

/** Return the calls of the service at `connection.baseUrl`. */
export function forsythService(connection: Connection = {}): Service {
  const call = connect(connection);
  return {
    validate: (fen, about, signal) => call("POST", "/validate-fen", { fen_string: fen, ...withoutNulls(about) }, signal),
    load: async (fen, about) => {
      const answer = await call<{ game_state: GameState }>("POST", "/game_state", {
        fen_string: fen,
        ...withoutNulls(about),
      });
      return answer.game_state;
    },
    read: (fen, about, signal) => call("POST", "/read", { text: fen, ...withoutNulls(about) }, signal),
    palette: async (fen, about) => (await call<EditAnswer>("POST", "/edit", { text: fen, ...withoutNulls(about) })).palette,
  };
}

/** Return the properties of `about` that are neither null nor undefined. */
function withoutNulls(about: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(about ?? {}).filter(([, value]) => value !== null && value !== undefined));
}
