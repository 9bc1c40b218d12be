import { api, sentence } from "../../api/client";
import { useLatest } from "../../shell/hooks";
import { CopyButton } from "../../shell/parts";
import { saveAsFile } from "../../text/files";
import { recordOf, type Game } from "./tree";

/** The record of the game on the board: where nothing has changed, the text it was read from, as it stands there. */
export function Export({ game }: { game: Game }) {
  const unchanged = game.source && !game.changed ? game.source.text : null;
  const line = recordOf(game.children);
  const question = unchanged === null ? JSON.stringify([game.game, game.variant, game.start, game.tags, game.result, line]) : null;
  const answer = useLatest(question, (signal) => api.writeRecord(requestOf(game), signal));
  const record = unchanged ?? answer.data?.record ?? "";
  const source = game.source;
  const several = source && (source.before.trim() || source.behind.trim());
  return (
    <div className="panel">
      {answer.error && question ? <p className="refused">{sentence(answer.error)}</p> : null}
      <label>
        Record
        <textarea className="record" rows={8} readOnly value={record} onFocus={(event) => event.target.select()} />
      </label>
      <p className="onward">
        <CopyButton text={record} name="record" />
        <button type="button" className="quiet" disabled={!record} onClick={() => save(record, game.game)}>
          Save as file
        </button>
        {several ? (
          <button type="button" className="quiet" disabled={!record} onClick={() => save(source.before + record + source.behind, game.game)}>
            Save all games
          </button>
        ) : null}
      </p>
    </div>
  );
}

function requestOf(game: Game) {
  const ended = game.result && game.result !== "*" ? { result: game.result } : {};
  return {
    game: game.game,
    ...(game.variant ? { variant: game.variant } : {}),
    ...(game.start ? { start: game.start } : {}),
    line: recordOf(game.children),
    comments: game.comments,
    tags: game.tags,
    moves: [],
    ...(game.source ? { source: game.source.text } : {}),
    ...ended,
  };
}

function save(text: string, name: string): void {
  saveAsFile(text, `${name || "game"}.pgn`);
}
