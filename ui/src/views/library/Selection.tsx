import { useState, type FormEvent } from "react";
import { api, errorMessage } from "../../api/client";
import type { SavedPosition } from "../../api/types";
import { saveAsFile } from "../../text/files";
import { parseTags } from "../SaveForm";

interface Props {
  selected: readonly SavedPosition[];
  shown: readonly SavedPosition[];
  onChoose: (ids: readonly string[]) => void;
  /** An action ended. `message` describes the result, `problem` the error or "". */
  onDone: (message: string, problem: string) => void;
}

/** Actions on all selected entries: tag, export, delete. */
export function Selection({ selected, shown, onChoose, onDone }: Props) {
  const [mode, setMode] = useState<"" | "tag" | "delete">("");
  const [tags, setTags] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  if (!selected.length) return null;
  const countText = `${selected.length} ${selected.length === 1 ? "position" : "positions"}`;

  /** Apply `action` to the selected entries one after another. Failed entries stay selected, and the last error is reported. */
  const applyToAll = async (action: (saved: SavedPosition) => Promise<unknown>, verb: string) => {
    setIsBusy(true);
    const failedEntries: SavedPosition[] = [];
    let failure = "";
    for (const saved of selected) {
      try {
        await action(saved);
      } catch (error) {
        failedEntries.push(saved);
        failure = errorMessage(error);
      }
    }
    setIsBusy(false);
    setMode("");
    onChoose(failedEntries.map(({ id }) => id));
    onDone(`${selected.length - failedEntries.length} ${verb}.`, failedEntries.length ? `${failedEntries.length} could not be ${verb}: ${failure}` : "");
  };
  const tag = (event: FormEvent) => {
    event.preventDefault();
    const newTags = parseTags(tags);
    void applyToAll((saved) => api.change(saved.id, { tags: [...new Set([...saved.tags, ...newTags])] }), "tagged");
  };

  return (
    <div className="selection" role="group" aria-label="Selected positions">
      <p role="status">{countText} selected</p>
      {mode === "tag" ? (
        <form onSubmit={tag} onKeyDown={(event) => event.key === "Escape" && setMode("")}>
          <label>
            <span className="sr-only">Tags to add</span>
            <input autoFocus required placeholder="tags, separated by commas" value={tags} onChange={(event) => setTags(event.target.value)} />
          </label>
          <button type="submit" className="primary" disabled={isBusy || !parseTags(tags).length}>
            Add tags
          </button>
          <button type="button" className="quiet" onClick={() => setMode("")}>
            Cancel
          </button>
        </form>
      ) : mode === "delete" ? (
        <p className="selection-actions" role="alert">
          <span>Delete {countText} for good?</span>
          <button type="button" className="quiet danger" autoFocus disabled={isBusy} onClick={() => applyToAll(({ id }) => api.remove(id), "deleted")}>
            Delete them
          </button>
          <button type="button" className="quiet" onClick={() => setMode("")}>
            Keep them
          </button>
        </p>
      ) : (
        <p className="selection-actions">
          <button type="button" className="quiet" onClick={() => setMode("tag")}>
            Tag
          </button>
          <button type="button" className="quiet" onClick={() => saveAsFile(toJsonLines(selected), "positions.jsonl")}>
            Export selected
          </button>
          <button type="button" className="quiet" onClick={() => setMode("delete")}>
            Delete selected
          </button>
          <button type="button" className="quiet" onClick={() => onChoose(shown.map(({ id }) => id))}>
            Select all shown
          </button>
          <button type="button" className="quiet" onClick={() => onChoose([])}>
            Select none
          </button>
        </p>
      )}
    </div>
  );
}

/** Return the entries as JSON lines. */
function toJsonLines(selected: readonly SavedPosition[]): string {
  return selected.map((saved) => `${JSON.stringify(saved)}\n`).join("");
}
