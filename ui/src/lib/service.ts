import { connect, type Connection } from "../api/transport";
import type { EditAnswer, PaletteEntry, ReadAnswer, Theme, ValidationReport } from "../api/types";

/** What is known of a text beside itself. Without a game the service tells it from the text. */
export interface About {
  game?: string | null | undefined;
  variant?: string | null | undefined;
}

/** How a position is drawn. */
export interface Look {
  theme?: Theme | undefined;
  flip?: boolean | undefined;
}

/** A position as data: its text, and what its game has beside it. */
export type GameState = { fen_string: string } & Record<string, unknown>;

/** The calls of the service that the components make; for a page's own use too. */
export interface Service {
  /** Everything that is wrong with a text. */
  validate(fen: string, about?: About, signal?: AbortSignal): Promise<ValidationReport>;
  /** The game state of a text, as data. */
  load(fen: string, about?: About): Promise<GameState>;
  /** A text read, checked and drawn. */
  read(fen: string, about?: About & Look, signal?: AbortSignal): Promise<ReadAnswer>;
  /** What can stand on the board of a position, drawn and named. */
  palette(fen: string, about?: About & Look): Promise<PaletteEntry[]>;
}

/** A service at an address, asked with the page's own `fetch` or another one. */
export function forsythService(connection: Connection = {}): Service {
  const call = connect(connection);
  return {
    validate: (fen, about, signal) => call("POST", "/validate-fen", { fen_string: fen, ...known(about) }, signal),
    load: async (fen, about) => {
      const answer = await call<{ game_state: GameState }>("POST", "/game_state", {
        fen_string: fen,
        ...known(about),
      });
      return answer.game_state;
    },
    read: (fen, about, signal) => call("POST", "/read", { text: fen, ...known(about) }, signal),
    palette: async (fen, about) => (await call<EditAnswer>("POST", "/edit", { text: fen, ...known(about) })).palette,
  };
}

/** What was said, without what was left open. */
function known(about: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(about ?? {}).filter(([, value]) => value !== null && value !== undefined));
}
