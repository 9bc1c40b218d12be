import { useState, type FormEvent } from "react";
import { drawing } from "../../api/client";
import type { Saved, Theme } from "../../api/types";
import { Link } from "../../shell/parts";
import { onwardQuery } from "../onward";
import { Share } from "../Share";
import { EntryFields, entryOf } from "../SaveForm";

export type EntryChange = ReturnType<typeof entryOf>;

interface EntryProps {
  saved: Saved;
  title: string;
  theme: Theme;
  chosen: boolean;
  onChoose: (on: boolean) => void;
  onTag: (tag: string) => void;
  onChange: (change: EntryChange) => void;
  onRemove: () => void;
}

/** A saved position: its picture, its words, and what can be done with it. */
export function Entry({ saved, title, theme, chosen, onChoose, onTag, onChange, onRemove }: EntryProps) {
  const [mode, setMode] = useState<"" | "edit" | "delete">("");
  const onward = onwardQuery(saved.text, saved.game, "");
  const href = `/${onward}`;
  const rest = () => setMode("");
  return (
    <li className={`entry${chosen ? " chosen" : ""}`}>
      <label className="entry-choice">
        <input type="checkbox" checked={chosen} aria-label={`Select ${saved.name}`} onChange={(event) => onChoose(event.target.checked)} />
      </label>
      <Link href={href} className="entry-picture" tabIndex={-1} aria-hidden="true">
        <img src={drawing("svg", saved.text, { game: saved.game }, { theme, size: 480, captions: false })} alt="" loading="lazy" />
      </Link>
      {mode === "edit" ? (
        <EntryForm
          saved={saved}
          onCancel={rest}
          onChange={(change) => {
            rest();
            onChange(change);
          }}
        />
      ) : (
        <>
          <h2>
            <Link href={href}>{saved.name}</Link>
          </h2>
          <p className="entry-facts">
            {title}
            <time dateTime={saved.created}>{new Date(saved.created).toLocaleDateString()}</time>
            {saved.tags.map((tag) => (
              <button key={tag} type="button" className="tag" onClick={() => onTag(tag)}>
                {tag}
              </button>
            ))}
          </p>
          {saved.note && <p className="entry-note">{saved.note}</p>}
          {mode === "delete" ? (
            <p className="entry-actions" role="alert">
              <span>Delete for good?</span>
              <button type="button" className="link danger" autoFocus onClick={onRemove}>
                Delete
              </button>
              <button type="button" className="link" onClick={rest}>
                Keep
              </button>
            </p>
          ) : (
            <>
              <p className="entry-actions">
                <Link href={href} aria-label={`Open ${saved.name}`}>
                  Open
                </Link>
                <button type="button" className="link" aria-label={`Change ${saved.name}`} onClick={() => setMode("edit")}>
                  Change
                </button>
                <button type="button" className="link" aria-label={`Delete ${saved.name}`} onClick={() => setMode("delete")}>
                  Delete
                </button>
              </p>
              <p className="entry-actions">
                <Link href={`/play${onward}`} aria-label={`Play ${saved.name}`}>
                  Play
                </Link>
                <Link href={`/edit${onward}`} aria-label={`Edit ${saved.name}`}>
                  Edit
                </Link>
                <Share text={saved.text} told={{ game: saved.game }} theme={theme} name={saved.name} />
              </p>
            </>
          )}
        </>
      )}
    </li>
  );
}

interface EntryFormProps {
  saved: Saved;
  onChange: (change: EntryChange) => void;
  onCancel: () => void;
}

function EntryForm({ saved, onChange, onCancel }: EntryFormProps) {
  const [words, setWords] = useState({ name: saved.name, tags: saved.tags.join(", "), note: saved.note ?? "" });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(entryOf(words));
  };
  return (
    <form className="entry-form" onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && onCancel()}>
      <EntryFields words={words} onChange={setWords} />
      <p className="entry-actions">
        <button type="submit" className="link" disabled={!words.name.trim()}>
          Keep
        </button>
        <button type="button" className="link" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}
