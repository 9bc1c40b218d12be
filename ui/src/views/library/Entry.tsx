import { useState, type FormEvent } from "react";
import { drawingUrl } from "../../api/client";
import type { SavedPosition, Theme } from "../../api/types";
import { Link } from "../../shell/parts";
import { positionQuery } from "../queries";
import { Share } from "../Share";
import { EntryFields, entryData } from "../SaveForm";

/** The data of an entry that can be changed. */
export type EntryChange = ReturnType<typeof entryData>;

interface EntryProps {
  saved: SavedPosition;
  gameTitle: string;
  theme: Theme;
  chosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onTag: (tag: string) => void;
  onChange: (change: EntryChange) => void;
  onRemove: () => void;
}

/** A saved position: picture, name, tags, note and actions. */
export function Entry({ saved, gameTitle, theme, chosen, onChoose, onTag, onChange, onRemove }: EntryProps) {
  const [mode, setMode] = useState<"" | "edit" | "delete">("");
  const query = positionQuery(saved.text, saved.game, "");
  const href = `/${query}`;
  const closeForm = () => setMode("");
  return (
    <li className={`entry${chosen ? " chosen" : ""}`}>
      <label className="entry-choice">
        <input type="checkbox" checked={chosen} aria-label={`Select ${saved.name}`} onChange={(event) => onChoose(event.target.checked)} />
      </label>
      <Link href={href} className="entry-picture" tabIndex={-1} aria-hidden="true">
        <img src={drawingUrl("svg", saved.text, { game: saved.game }, { theme, size: 480, captions: false })} alt="" loading="lazy" />
      </Link>
      {mode === "edit" ? (
        <EntryForm
          saved={saved}
          onCancel={closeForm}
          onChange={(change) => {
            closeForm();
            onChange(change);
          }}
        />
      ) : (
        <>
          <h2>
            <Link href={href}>{saved.name}</Link>
          </h2>
          <p className="entry-facts">
            {gameTitle}
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
              <button type="button" className="link" onClick={closeForm}>
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
                <Link href={`/play${query}`} aria-label={`Play ${saved.name}`}>
                  Play
                </Link>
                <Link href={`/edit${query}`} aria-label={`Edit ${saved.name}`}>
                  Edit
                </Link>
                <Share text={saved.text} hint={{ game: saved.game }} theme={theme} name={saved.name} />
              </p>
            </>
          )}
        </>
      )}
    </li>
  );
}

interface EntryFormProps {
  saved: SavedPosition;
  onChange: (change: EntryChange) => void;
  onCancel: () => void;
}

/** A form that changes name, tags and note of a saved position. */
function EntryForm({ saved, onChange, onCancel }: EntryFormProps) {
  const [fields, setFields] = useState({ name: saved.name, tags: saved.tags.join(", "), note: saved.note ?? "" });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(entryData(fields));
  };
  return (
    <form className="entry-form" onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && onCancel()}>
      <EntryFields fields={fields} onChange={setFields} />
      <p className="entry-actions">
        <button type="submit" className="link" disabled={!fields.name.trim()}>
          Save
        </button>
        <button type="button" className="link" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}
