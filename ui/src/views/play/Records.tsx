import { useState, type FormEvent } from "react";
import { api, ApiError, sentence } from "../../api/client";
import { CopyButton } from "../../shell/parts";
import { fresh, type Line } from "./line";

/** A form that takes a record, pasted or from a file. */
export function Import({ game, onRead }: { game: string; onRead: (line: Line) => void }) {
  const [record, setRecord] = useState("");
  const [errors, setErrors] = useState<string[]>([]);

  const read = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const answer = await readAny(record, game);
      const bad = answer.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
      if (!answer.ok || !answer.game) return setErrors(bad.length ? bad : ["This record cannot be read."]);
      onRead({
        ...fresh(answer.game, answer.variant ?? "", answer.start ?? ""),
        moves: answer.moves,
        at: answer.moves.length,
      });
    } catch (failure) {
      setErrors([sentence(failure)]);
    }
  };

  return (
    <form className="panel" onSubmit={read}>
      <label>
        Record
        <textarea
          className="record"
          rows={6}
          required
          spellCheck={false}
          value={record}
          onChange={(event) => (setRecord(event.target.value), setErrors([]))}
        />
      </label>
      <label className="file">
        <span>or a file</span>
        <input
          type="file"
          accept=".pgn,.txt,text/plain"
          onChange={async (event) => setRecord((await event.target.files?.[0]?.text()) ?? "")}
        />
      </label>
      <button type="submit" className="primary" disabled={!record.trim()}>
        Read
      </button>
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

/** A record says its game itself, or is one of the game on the board. */
async function readAny(record: string, game: string) {
  try {
    const answer = await api.readRecord(record);
    if (answer.ok) return answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
  }
  return api.readRecord(record, game);
}

/** The record of the match on the board. */
export function Export({ record, name }: { record: string; name: string }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${name || "game"}.pgn`;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div className="panel">
      <label>
        Record
        <textarea className="record" rows={8} readOnly value={record} onFocus={(event) => event.target.select()} />
      </label>
      <p className="onward">
        <CopyButton text={record} name="record" />
        <button type="button" className="quiet" onClick={save}>
          Save as file
        </button>
      </p>
    </div>
  );
}
