import { useEffect, useRef, useState, type FormEvent } from "react";
import { api, ApiError, errorMessage } from "../../api/client";
import type { GameInfo, RecordAnswer, RecordEntry, RecordList } from "../../api/types";
import { receivedText } from "../../shell/handover";
import { textOfFile } from "../../text/files";
import { hasValue, playersOf } from "./End";
import { newGame, buildTree, type Game, type Source } from "./tree";

/** A record of a file with several games. */
interface Choice {
  entry: RecordEntry;
  source: Source;
}

/** A form that imports a game record, pasted or from a file. If there are several games, the visitor chooses one. */
export function Import({ games, game, onRead }: { games: readonly GameInfo[]; game: string; onRead: (game: Game) => void }) {
  const [record, setRecord] = useState(() => receivedText() ?? "");
  const [errors, setErrors] = useState<string[]>([]);
  const [choices, setChoices] = useState<Choice[] | null>(null);
  const [hasMore, setHasMore] = useState(false);

  const changeRecord = (text: string) => {
    setRecord(text);
    setErrors([]);
    setChoices(null);
  };

  const importRecord = async (source: Source) => {
    try {
      const answer = await readRecord(source.text, game);
      const errorMessages = answer.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
      if (!answer.ok || !answer.game) return setErrors(errorMessages.length ? errorMessages : ["This record cannot be read."]);
      onRead(buildGame(answer, source));
    } catch (failure) {
      setErrors([errorMessage(failure)]);
    }
  };

  const readRecords = async () => {
    try {
      const list = await listRecords(record, game);
      if (list.records.length <= 1) return importRecord({ text: record, before: "", behind: "" });
      setHasMore(list.more);
      setChoices(locateRecords(record, list.records));
    } catch (failure) {
      setErrors([errorMessage(failure)]);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void readRecords();
  };

  // A record from another view is read at once.
  const hasStarted = useRef(false);
  useEffect(() => {
    if (record && !hasStarted.current) void readRecords();
    hasStarted.current = true;
  });

  return (
    <form className="panel" onSubmit={submit}>
      <label>
        Record
        <textarea className="record" rows={6} required spellCheck={false} value={record} onChange={(event) => changeRecord(event.target.value)} />
      </label>
      <label className="file">
        <span>or a file</span>
        <input type="file" accept=".pgn,.txt,text/plain" onChange={async (event) => changeRecord(await textOfFile(event.target.files?.[0]))} />
      </label>
      <button type="submit" className="primary" disabled={!record.trim()}>
        Read
      </button>
      {choices && (
        <fieldset className="record-choices">
          <legend>
            {hasMore ? "The first " : ""}{choices.length} games. Choose one.
          </legend>
          <ol>
            {choices.map(({ entry, source }, index) => (
              <li key={index}>
                <button type="button" className="link" onClick={() => importRecord(source)}>
                  {describeRecord(entry, games)}
                </button>
                {!entry.ok && <span className="refused small">has errors</span>}
              </li>
            ))}
          </ol>
        </fieldset>
      )}
      {errors.length > 0 && (
        <ul className="refused" role="alert">
          {errors.slice(0, 5).map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** Build a game from the service's answer. */
function buildGame(answer: RecordAnswer, source: Source): Game {
  const children = buildTree(answer.line);
  return {
    ...newGame(answer.game ?? "", answer.variant ?? "", answer.start ?? ""),
    tags: answer.tags,
    result: answer.result,
    comments: answer.comments,
    children,
    path: answer.line.map(() => 0),
    playedCount: answer.line.length,
    source,
  };
}

/** Add to each record the text before and after it in its file. */
function locateRecords(fileText: string, records: readonly RecordEntry[]): Choice[] {
  let searchStart = 0;
  return records.map((entry) => {
    const start = Math.max(searchStart, fileText.indexOf(entry.text, searchStart));
    searchStart = start + entry.text.length;
    return { entry, source: { text: entry.text, before: fileText.slice(0, start), behind: fileText.slice(searchStart) } };
  });
}

/** Describe a record by players, two further tags, length and result. */
function describeRecord({ game, tags, result, plies }: RecordEntry, games: readonly GameInfo[]): string {
  const info = games.find(({ name }) => name === game);
  const otherTags = Object.entries(tags).flatMap(([tag, value]) => (info?.players.includes(tag) ? [] : [value]));
  return [playersOf(info, tags), ...otherTags.filter(hasValue).slice(0, 2), `${plies} moves`, result].filter(Boolean).join(", ");
}

/** List the records of a text. If a record does not contain its game, read them as records of `game`. */
async function listRecords(record: string, game: string): Promise<RecordList> {
  const list = await api.listRecords(record);
  return list.records.some((entry) => !entry.game) ? api.listRecords(record, game) : list;
}

/** Read a record. If its game cannot be detected, read it as a record of `game`. */
async function readRecord(record: string, game: string): Promise<RecordAnswer> {
  try {
    const answer = await api.readRecord(record);
    if (answer.ok) return answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
  }
  return api.readRecord(record, game);
}
