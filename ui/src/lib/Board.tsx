import { useRef } from "react";
import { sentence } from "../api/transport";
import type { PositionView } from "../api/types";
import { Board as Drawing } from "../board/Board";
import { useLatest } from "../shell/hooks";
import { useSurroundings, type Surroundings } from "./ForsythProvider";
import type { About } from "./service";

/** Without a `game` the service tells it from the text. */
export interface BoardProps extends About, Surroundings {
  fenString?: string | null;
  /** Whether the board is seen from the other side. */
  flip?: boolean;
  /** What the board is called; the title of the position if it is left out. */
  label?: string;
  className?: string;
}

/** The position of a text, drawn: to be looked at and walked over with the arrow keys, not to be played on. */
export function Board(props: BoardProps) {
  const { game, variant, flip = false } = props;
  const { service, baseUrl, place, theme } = useSurroundings<HTMLDivElement>(props);
  const fen = props.fenString?.trim() ?? "";

  const question = fen && theme ? JSON.stringify([baseUrl, fen, game, variant, theme, flip]) : null;
  const reading = useLatest(question, (signal) => service.read(fen, { game, variant, theme: theme ?? "light", flip }, signal));
  const position = fen ? (reading.data?.position ?? null) : null;
  // What was drawn last stays, pale, under the words that say why there is no drawing now.
  const drawn = useRef<PositionView | null>(null);
  if (position) drawn.current = position;
  if (!fen) drawn.current = null;

  const note = noteOf(fen, reading.error, Boolean(reading.data && !position && !reading.pending));
  return (
    <div
      ref={place}
      className={["forsyth", props.className].filter(Boolean).join(" ")}
      data-state={!fen ? "empty" : note ? "undrawn" : position ? "drawn" : "reading"}
      data-theme={theme ?? undefined}
    >
      <Drawing
        drawing={drawn.current}
        label={props.label ?? drawn.current?.title ?? "Board"}
        description={drawn.current?.description ?? ""}
        stale={note !== null}
      >
        {note && (
          <div className="forsyth-note" role="status">
            <p>{note}</p>
          </div>
        )}
      </Drawing>
    </div>
  );
}

function noteOf(fen: string, error: unknown, undrawable: boolean): string | null {
  if (!fen) return "No FEN available";
  if (error) return `The board is not available: ${sentence(error)}`;
  return undrawable ? "This text cannot be drawn." : null;
}
