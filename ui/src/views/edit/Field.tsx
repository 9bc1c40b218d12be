import { useEffect, useState } from "react";
import type { FieldEntry } from "../../api/types";

function choicesOf(field: FieldEntry): { value: string; label: string }[] {
  return (field.choices ?? []).map((choice) =>
    typeof choice === "object" ? choice : { value: String(choice), label: String(choice) },
  );
}

/** A field of the text: a choice, flags, a number or words. */
export function Field({ field, onChange }: { field: FieldEntry; onChange: (value: string) => Promise<boolean> }) {
  const value = String(field.value ?? "");
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const choices = choicesOf(field);
  const commit = (next: string) => {
    setDraft(next);
    if (next !== value) void onChange(next).then((done) => !done && setDraft(value));
  };

  if (field.kind === "choice") {
    return (
      <label className={`field${choices.some(({ label }) => label.length > 16) ? " wide" : ""}`}>
        <span>{field.label}</span>
        <select value={draft} onChange={(event) => commit(event.target.value)}>
          {choices.every((choice) => choice.value !== draft) && <option value={draft}>{draft}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (field.kind === "flags") {
    const flip = (flag: string, on: boolean) => {
      const set = choices.filter((choice) => (choice.value === flag ? on : draft.includes(choice.value)));
      commit(set.map((choice) => choice.value).join(""));
    };
    return (
      <fieldset className="field flags">
        <legend>{field.label}</legend>
        {choices.map((choice) => (
          <label key={choice.value}>
            <input type="checkbox" checked={draft.includes(choice.value)} onChange={(event) => flip(choice.value, event.target.checked)} />
            {choice.label}
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <label className="field">
      <span>{field.label}</span>
      <input
        type={field.kind === "number" ? "number" : "text"}
        value={draft}
        onChange={(event) => {
          const next = event.target.value;
          if (field.kind === "number" && next !== "") commit(next);
          else setDraft(next);
        }}
        onBlur={() => (draft === "" && field.kind === "number" ? setDraft(value) : commit(draft))}
        onKeyDown={(event) => event.key === "Enter" && commit(draft)}
      />
    </label>
  );
}
