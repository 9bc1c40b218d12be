import { useRef } from "react";
import { errorMessage } from "../api/transport";
import type { PositionView } from "../api/types";
import { Board as Drawing } from "../board/Board";
import { useLatestAnswer } from "../shell/hooks";
import { useSurroundings, type Surroundings } from "./ForsythProvider";
import type { About } from "./service";

/** If `game` is left out, the service detects it. */
export interface BoardProps extends About, Surroundings {
  fenString?: string | null;
  /** Whether the board is turned by 180 degrees. */
  flip?: boolean;
  /** The accessible name of the board. Default: the title of the position. */
  label?: string;
  className?: string;
}

/** A read-only board with the position of `fenString`. The arrow keys move over its squares. */
export function Board(props: BoardProps) {
  const { game, variant, flip = false } = props;
  const { service, baseUrl, place, theme } = useSurroundings<HTMLDivElement>(props);
  const fen = props.fenString?.trim() ?? "";

  const key = fen && theme ? JSON.stringify([baseUrl, fen, game, variant, theme, flip]) : null;
  const reading = useLatestAnswer(key, (signal) => service.read(fen, { game, variant, theme: theme ?? "light", flip }, signal));
  const position = fen ? (reading.data?.position ?? null) : null;
  // The last drawing stays, faded, behind the message that explains why the new text has none.
  const lastDrawn = useRef<PositionView | null>(null);
  if (position) lastDrawn.current = position;
  if (!fen) lastDrawn.current = null;

  const message = messageFor(fen, reading.error, Boolean(reading.data && !position && !reading.pending));
  return (
    <div
      ref={place}
      className={["forsyth", props.className].filter(Boolean).join(" ")}
      data-state={!fen ? "empty" : message ? "undrawn" : position ? "drawn" : "reading"}
      data-theme={theme ?? undefined}
    >
      <Drawing
        drawing={lastDrawn.current}
        label={props.label ?? lastDrawn.current?.title ?? "Board"}
        description={lastDrawn.current?.description ?? ""}
        stale={message !== null}
      >
        {message && (
          <div className="forsyth-note" role="status">
            <p>{message}</p>
          </div>
        )}
      </Drawing>
    </div>
  );
}

/** Return the message shown in place of a board, or null if there is a board. */
function messageFor(fen: string, error: unknown, undrawable: boolean): string | null {
  if (!fen) return "No FEN available";
  if (error) return `The board is not available: ${errorMessage(error)}`;
  return undrawable ? "This text cannot be drawn." : null;
}
