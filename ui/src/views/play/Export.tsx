import { api, errorMessage } from "../../api/client";
import { useLatestAnswer } from "../../shell/hooks";
import { CopyButton } from "../../shell/parts";
import { saveAsFile } from "../../text/files";
import { recordMoves, type Game } from "./tree";

/** The record of the game on the board. An unchanged imported game has the text of its source. */
export function Export({ game }: { game: Game }) {
  const sourceText = game.source && !game.changed ? game.source.text : null;
  const moves = recordMoves(game.children);
  const keyParts = [game.game, game.variant, game.start, game.tags, game.result, game.comments, moves];
  const requestKey = sourceText === null ? JSON.stringify(keyParts) : null;
  const written = useLatestAnswer(requestKey, async (signal) => ({ requestKey, ...(await api.writeRecord(buildRequest(game), signal)) }));
  // Until the next record arrives, the last one is shown but cannot be copied or saved.
  const shownRecord = sourceText ?? written.data?.record ?? "";
  const isCurrent = sourceText !== null || written.data?.requestKey === requestKey;
  const record = isCurrent ? shownRecord : "";
  const source = game.source;
  const hasOtherGames = source && (source.before.trim() || source.behind.trim());
  return (
    <div className="panel">
      {written.error && requestKey ? <p className="refused">{errorMessage(written.error)}</p> : null}
      <label>
        Record
        <textarea className="record" rows={8} readOnly value={shownRecord} aria-busy={!isCurrent} onFocus={(event) => event.target.select()} />
      </label>
      <p className="onward">
        <CopyButton text={record} name="record" />
        <button type="button" className="quiet" disabled={!record} onClick={() => downloadRecord(record, game.game)}>
          Save as file
        </button>
        {hasOtherGames ? (
          <button type="button" className="quiet" disabled={!record} onClick={() => downloadRecord(source.before + record + source.behind, game.game)}>
            Save all games
          </button>
        ) : null}
      </p>
    </div>
  );
}

/** Build the request that writes the record of a game. */
function buildRequest(game: Game) {
  const resultField = game.result && game.result !== "*" ? { result: game.result } : {};
  return {
    game: game.game,
    ...(game.variant ? { variant: game.variant } : {}),
    ...(game.start ? { start: game.start } : {}),
    line: recordMoves(game.children),
    comments: game.comments,
    tags: game.tags,
    moves: [],
    ...(game.source ? { source: game.source.text } : {}),
    ...resultField,
  };
}

/** Download a record. */
function downloadRecord(text: string, name: string): void {
  saveAsFile(text, `${name || "game"}.pgn`);
}
