import { useState, type FormEvent } from "react";
import { api, sentence } from "../../api/client";
import type { Saved } from "../../api/types";
import { saveAsFile } from "../../text/files";
import { parseTags } from "../SaveForm";

interface Props {
  chosen: readonly Saved[];
  shown: readonly Saved[];
  onChoose: (ids: readonly string[]) => void;
  /** Something was done, and what is to be said of it. */
  onDone: (words: string, failed: string) => void;
}

/** What can be done with several entries at once. */
export function Selection({ chosen, shown, onChoose, onDone }: Props) {
  const [mode, setMode] = useState<"" | "tag" | "delete">("");
  const [tags, setTags] = useState("");
  const [busy, setBusy] = useState(false);
  if (!chosen.length) return null;
  const many = `${chosen.length} ${chosen.length === 1 ? "position" : "positions"}`;

  /** One after the other; what failed stays chosen, and is said. */
  const forAll = async (action: (saved: Saved) => Promise<unknown>, verb: string) => {
    setBusy(true);
    const left: Saved[] = [];
    let failure = "";
    for (const saved of chosen) {
      try {
        await action(saved);
      } catch (error) {
        left.push(saved);
        failure = sentence(error);
      }
    }
    setBusy(false);
    setMode("");
    onChoose(left.map(({ id }) => id));
    onDone(`${chosen.length - left.length} ${verb}.`, left.length ? `${left.length} could not be ${verb}: ${failure}` : "");
  };
  const tag = (event: FormEvent) => {
    event.preventDefault();
    const added = parseTags(tags);
    void forAll((saved) => api.change(saved.id, { tags: [...new Set([...saved.tags, ...added])] }), "tagged");
  };

  return (
    <div className="selection" role="group" aria-label="Selected positions">
      <p role="status">{many} selected</p>
      {mode === "tag" ? (
        <form onSubmit={tag} onKeyDown={(event) => event.key === "Escape" && setMode("")}>
          <label>
            <span className="sr-only">Tags to add</span>
            <input autoFocus required placeholder="tags, separated by commas" value={tags} onChange={(event) => setTags(event.target.value)} />
          </label>
          <button type="submit" className="primary" disabled={busy || !parseTags(tags).length}>
            Add tags
          </button>
          <button type="button" className="quiet" onClick={() => setMode("")}>
            Cancel
          </button>
        </form>
      ) : mode === "delete" ? (
        <p className="selection-actions" role="alert">
          <span>Delete {many} for good?</span>
          <button type="button" className="quiet danger" autoFocus disabled={busy} onClick={() => forAll(({ id }) => api.remove(id), "deleted")}>
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
          <button type="button" className="quiet" onClick={() => saveAsFile(linesOf(chosen), "positions.jsonl")}>
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

function linesOf(chosen: readonly Saved[]): string {
  return chosen.map((saved) => `${JSON.stringify(saved)}\n`).join("");
}
