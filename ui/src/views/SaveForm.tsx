import { useEffect, useRef, useState, type FormEvent } from "react";
import { api, errorMessage, type GameHint } from "../api/client";
import { useAnnounce } from "../shell/Announcer";
import { Link } from "../shell/parts";

interface Props {
  text: string;
  hint: GameHint;
  suggestion: string;
  /** Whether the service has read the text as a position. Default: true. */
  isReady?: boolean;
  onDone: () => void;
}

/** Split a comma-separated list into unique tags. */
export function parseTags(list: string): string[] {
  return [...new Set(list.split(",").map((tag) => tag.trim()).filter(Boolean))];
}

/** The input fields of a library entry: name, tags and note. */
export function EntryFields({ fields, onChange }: { fields: EntryText; onChange: (fields: EntryText) => void }) {
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    nameInput.current?.focus();
    nameInput.current?.select();
  }, []);
  return (
    <>
      <label>
        Name
        <input ref={nameInput} required value={fields.name} onChange={(event) => onChange({ ...fields, name: event.target.value })} />
      </label>
      <label>
        Tags
        <input
          value={fields.tags}
          placeholder="separated by commas"
          onChange={(event) => onChange({ ...fields, tags: event.target.value })}
        />
      </label>
      <label className="note-field">
        Note
        <textarea rows={3} value={fields.note} onChange={(event) => onChange({ ...fields, note: event.target.value })} />
      </label>
    </>
  );
}

/** The contents of the fields. `tags` is a comma-separated list. */
export interface EntryText {
  name: string;
  tags: string;
  note: string;
}

/** Turn the contents of the fields into the data of an entry. */
export function entryData({ name, tags, note }: EntryText) {
  return { name: name.trim(), tags: parseTags(tags), note: note.trim() };
}

/** A form that saves a position to the library. It closes when the text changes after saving. */
export function SaveForm({ text, hint, suggestion, isReady = true, onDone }: Props) {
  const announce = useAnnounce();
  const name = suggestion ? `${suggestion}, ${new Date().toLocaleDateString()}` : "";
  const [fields, setFields] = useState<EntryText>({ name, tags: "", note: "" });
  const [state, setState] = useState<"" | "saving" | "saved">("");
  const [savedText, setSavedText] = useState("");
  const [error, setError] = useState("");

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setState("saving");
    setError("");
    try {
      await api.save({ text, ...hint, ...entryData(fields) });
      setSavedText(text);
      setState("saved");
      announce("Saved to the library.");
    } catch (failure) {
      setState("");
      setError(errorMessage(failure));
    }
  };

  // The confirmation belongs to the saved text only.
  useEffect(() => {
    if (state === "saved" && text !== savedText) onDone();
  }, [onDone, savedText, state, text]);

  if (state === "saved") {
    return (
      <p className="saved" role="status">
        Saved as <em>{fields.name.trim()}</em>. <Link href="/library">See the library</Link>
        <button type="button" className="link" onClick={onDone}>
          Close
        </button>
      </p>
    );
  }
  return (
    <form className="save" onSubmit={save} onKeyDown={(event) => event.key === "Escape" && onDone()}>
      <EntryFields fields={fields} onChange={setFields} />
      <div className="save-buttons">
        <button type="submit" className="primary" disabled={!isReady || !fields.name.trim() || state === "saving"}>
          Save
        </button>
        <button type="button" className="quiet" onClick={onDone}>
          Cancel
        </button>
      </div>
      {error && <p className="refused">{error}</p>}
    </form>
  );
}
