import { useEffect, useRef, useState, type FormEvent } from "react";
import { api, sentence } from "../api/client";
import { useAnnounce } from "../shell/Announcer";
import { Link } from "../shell/parts";

interface Props {
  text: string;
  game: string | null;
  suggestion: string;
  onDone: () => void;
}

export function parseTags(words: string): string[] {
  return [...new Set(words.split(",").map((tag) => tag.trim()).filter(Boolean))];
}

/** A line in which a position gets its name and tags and goes to the library. */
export function SaveForm({ text, game, suggestion, onDone }: Props) {
  const announce = useAnnounce();
  const first = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(suggestion ? `${suggestion}, ${new Date().toLocaleDateString()}` : "");
  const [tags, setTags] = useState("");
  const [state, setState] = useState<"" | "saving" | "saved">("");
  const [error, setError] = useState("");

  useEffect(() => {
    first.current?.focus();
    first.current?.select();
  }, []);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setState("saving");
    setError("");
    try {
      await api.save({ text, ...(game ? { game } : {}), name: name.trim(), tags: parseTags(tags) });
      setState("saved");
      announce("Saved to the library.");
    } catch (failure) {
      setState("");
      setError(sentence(failure));
    }
  };

  if (state === "saved") {
    return (
      <p className="saved" role="status">
        Saved as <em>{name}</em>. <Link href="/library">See the library</Link>
        <button type="button" className="link" onClick={onDone}>
          Close
        </button>
      </p>
    );
  }
  return (
    <form className="save" onSubmit={save} onKeyDown={(event) => event.key === "Escape" && onDone()}>
      <label>
        Name
        <input ref={first} required value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <label>
        Tags <span className="muted">separated by commas</span>
        <input value={tags} onChange={(event) => setTags(event.target.value)} />
      </label>
      <div className="save-buttons">
        <button type="submit" className="primary" disabled={!name.trim() || state === "saving"}>
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
