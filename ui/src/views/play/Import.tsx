import { useEffect, useRef, useState, type FormEvent } from "react";
import { api, ApiError, sentence } from "../../api/client";
import type { GameInfo, RecordAnswer, RecordEntry, RecordList } from "../../api/types";
import { handed } from "../../shell/handover";
import { textOfFile } from "../../text/files";
import { isKnown, opponents } from "./End";
import { fresh, treeOf, type Game, type Source } from "./tree";

interface Choice {
  entry: RecordEntry;
  source: Source;
}

/** A form that takes records, pasted or from a file, with everything in them; of several games one is chosen. */
export function Import({ games, game, onRead }: { games: readonly GameInfo[]; game: string; onRead: (game: Game) => void }) {
  const [record, setRecord] = useState(() => handed() ?? "");
  const [errors, setErrors] = useState<string[]>([]);
  const [choices, setChoices] = useState<Choice[] | null>(null);
  const [more, setMore] = useState(false);

  const change = (text: string) => {
    setRecord(text);
    setErrors([]);
    setChoices(null);
  };

  const take = async (source: Source) => {
    try {
      const answer = await readAny(source.text, game);
      const bad = answer.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
      if (!answer.ok || !answer.game) return setErrors(bad.length ? bad : ["This record cannot be read."]);
      onRead(gameOf(answer, source));
    } catch (failure) {
      setErrors([sentence(failure)]);
    }
  };

  const read = async () => {
    try {
      const found = await listAny(record, game);
      if (found.records.length <= 1) return take({ text: record, before: "", behind: "" });
      setMore(found.more);
      setChoices(withPlaces(record, found.records));
    } catch (failure) {
      setErrors([sentence(failure)]);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void read();
  };

  // What another view handed over is read at once.
  const begun = useRef(false);
  useEffect(() => {
    if (record && !begun.current) void read();
    begun.current = true;
  });

  return (
    <form className="panel" onSubmit={submit}>
      <label>
        Record
        <textarea className="record" rows={6} required spellCheck={false} value={record} onChange={(event) => change(event.target.value)} />
      </label>
      <label className="file">
        <span>or a file</span>
        <input type="file" accept=".pgn,.txt,text/plain" onChange={async (event) => change(await textOfFile(event.target.files?.[0]))} />
      </label>
      <button type="submit" className="primary" disabled={!record.trim()}>
        Read
      </button>
      {choices && (
        <fieldset className="record-choices">
          <legend>
            {choices.length} games{more ? " and more" : ""}: which one?
          </legend>
          <ol>
            {choices.map(({ entry, source }, index) => (
              <li key={index}>
                <button type="button" className="link" onClick={() => take(source)}>
                  {nameOf(entry, games)}
                </button>
                {!entry.ok && <span className="refused small">has mistakes</span>}
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

function gameOf(answer: RecordAnswer, source: Source): Game {
  const children = treeOf(answer.line);
  return {
    ...fresh(answer.game ?? "", answer.variant ?? "", answer.start ?? ""),
    tags: answer.tags,
    result: answer.result,
    comments: answer.comments,
    children,
    path: answer.line.map(() => 0),
    at: answer.line.length,
    source,
  };
}

/** Each record with what stands around it in its file. */
function withPlaces(whole: string, records: readonly RecordEntry[]): Choice[] {
  let from = 0;
  return records.map((entry) => {
    const start = Math.max(from, whole.indexOf(entry.text, from));
    from = start + entry.text.length;
    return { entry, source: { text: entry.text, before: whole.slice(0, start), behind: whole.slice(from) } };
  });
}

/** What a record is called: who played, what is known first of it, how long it is and how it ended. */
function nameOf({ game, tags, result, plies }: RecordEntry, games: readonly GameInfo[]): string {
  const info = games.find(({ name }) => name === game);
  const others = Object.entries(tags).flatMap(([tag, value]) => (info?.players.includes(tag) ? [] : [value]));
  return [opponents(info, tags), ...others.filter(isKnown).slice(0, 2), `${plies} moves`, result].filter(Boolean).join(", ");
}

/** The records of a text; where one does not say its game, it is one of the game on the board. */
async function listAny(record: string, game: string): Promise<RecordList> {
  const found = await api.listRecords(record);
  return found.records.some((entry) => !entry.game) ? api.listRecords(record, game) : found;
}

/** A record says its game itself, or is one of the game on the board. */
async function readAny(record: string, game: string): Promise<RecordAnswer> {
  try {
    const answer = await api.readRecord(record);
    if (answer.ok) return answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
  }
  return api.readRecord(record, game);
}
