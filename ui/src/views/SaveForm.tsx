import { useEffect, useRef, useState, type FormEvent } from "react";
import { api, sentence, type Told } from "../api/client";
import { useAnnounce } from "../shell/Announcer";
import { Link } from "../shell/parts";

interface Props {
  text: string;
  told: Told;
  suggestion: string;
  /** Whether the text is known to be a position. */
  ready?: boolean;
  onDone: () => void;
}

export function parseTags(words: string): string[] {
  return [...new Set(words.split(",").map((tag) => tag.trim()).filter(Boolean))];
}

/** The words of the form: name, tags and note, for a new entry of the library and for one that is there. */
export function EntryFields({ words, onChange }: { words: EntryWords; onChange: (words: EntryWords) => void }) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    first.current?.focus();
    first.current?.select();
  }, []);
  return (
    <>
      <label>
        Name
        <input ref={first} required value={words.name} onChange={(event) => onChange({ ...words, name: event.target.value })} />
      </label>
      <label>
        Tags
        <input
          value={words.tags}
          placeholder="separated by commas"
          onChange={(event) => onChange({ ...words, tags: event.target.value })}
        />
      </label>
      <label className="note-field">
        Note
        <textarea rows={3} value={words.note} onChange={(event) => onChange({ ...words, note: event.target.value })} />
      </label>
    </>
  );
}

/** What is typed of an entry, the tags in one line. */
export interface EntryWords {
  name: string;
  tags: string;
  note: string;
}

export function entryOf({ name, tags, note }: EntryWords) {
  return { name: name.trim(), tags: parseTags(tags), note: note.trim() };
}

/** A form in which a position gets its name, tags and note and goes to the library. */
export function SaveForm({ text, told, suggestion, ready = true, onDone }: Props) {
  const announce = useAnnounce();
  const name = suggestion ? `${suggestion}, ${new Date().toLocaleDateString()}` : "";
  const [words, setWords] = useState<EntryWords>({ name, tags: "", note: "" });
  const [state, setState] = useState<"" | "saving" | "saved">("");
  const [saved, setSaved] = useState("");
  const [error, setError] = useState("");

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setState("saving");
    setError("");
    try {
      await api.save({ text, ...told, ...entryOf(words) });
      setSaved(text);
      setState("saved");
      announce("Saved to the library.");
    } catch (failure) {
      setState("");
      setError(sentence(failure));
    }
  };

  // What was saved is said as long as it is the text on the screen.
  useEffect(() => {
    if (state === "saved" && text !== saved) onDone();
  }, [onDone, saved, state, text]);

  if (state === "saved") {
    return (
      <p className="saved" role="status">
        Saved as <em>{words.name.trim()}</em>. <Link href="/library">See the library</Link>
        <button type="button" className="link" onClick={onDone}>
          Close
        </button>
      </p>
    );
  }
  return (
    <form className="save" onSubmit={save} onKeyDown={(event) => event.key === "Escape" && onDone()}>
      <EntryFields words={words} onChange={setWords} />
      <div className="save-buttons">
        <button type="submit" className="primary" disabled={!ready || !words.name.trim() || state === "saving"}>
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
