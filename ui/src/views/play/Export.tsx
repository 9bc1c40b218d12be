import { api, sentence } from "../../api/client";
import { useLatest } from "../../shell/hooks";
import { CopyButton } from "../../shell/parts";
import { saveAsFile } from "../../text/files";
import { recordOf, type Game } from "./tree";

/** The record of the game on the board: where nothing has changed, the text it was read from, as it stands there. */
export function Export({ game }: { game: Game }) {
  const unchanged = game.source && !game.changed ? game.source.text : null;
  const line = recordOf(game.children);
  const parts = [game.game, game.variant, game.start, game.tags, game.result, game.comments, line];
  const question = unchanged === null ? JSON.stringify(parts) : null;
  const answer = useLatest(question, async (signal) => ({ question, ...(await api.writeRecord(requestOf(game), signal)) }));
  // While the next record is being written the last one stays on the screen, but can be neither copied nor saved.
  const shown = unchanged ?? answer.data?.record ?? "";
  const isCurrent = unchanged !== null || answer.data?.question === question;
  const record = isCurrent ? shown : "";
  const source = game.source;
  const several = source && (source.before.trim() || source.behind.trim());
  return (
    <div className="panel">
      {answer.error && question ? <p className="refused">{sentence(answer.error)}</p> : null}
      <label>
        Record
        <textarea className="record" rows={8} readOnly value={shown} aria-busy={!isCurrent} onFocus={(event) => event.target.select()} />
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
