import { useEffect, useState } from "react";
import type { FieldEntry } from "../../api/types";

/** Return the choices of a field with their labels. */
function choicesOf(field: FieldEntry): { value: string; label: string }[] {
  return (field.choices ?? []).map((choice) =>
    typeof choice === "object" ? choice : { value: String(choice), label: String(choice) },
  );
}

/** An input for a field of the position: a select, checkboxes, a number or a text. If `onChange` fails, the old value returns. */
export function Field({ field, onChange }: { field: FieldEntry; onChange: (value: string) => Promise<boolean> }) {
  const value = String(field.value ?? "");
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const choices = choicesOf(field);
  const submitValue = (next: string) => {
    setDraft(next);
    if (next !== value) void onChange(next).then((done) => !done && setDraft(value));
  };

  if (field.kind === "choice") {
    return (
      <label className={`field${choices.some(({ label }) => label.length > 16) ? " wide" : ""}`}>
        <span>{field.label}</span>
        <select value={draft} onChange={(event) => submitValue(event.target.value)}>
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
    const toggleFlag = (flag: string, isOn: boolean) => {
      const setFlags = choices.filter((choice) => (choice.value === flag ? isOn : draft.includes(choice.value)));
      submitValue(setFlags.map((choice) => choice.value).join(""));
    };
    return (
      <fieldset className="field flags">
        <legend>{field.label}</legend>
        {choices.map((choice) => (
          <label key={choice.value}>
            <input type="checkbox" checked={draft.includes(choice.value)} onChange={(event) => toggleFlag(choice.value, event.target.checked)} />
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
          const newValue = event.target.value;
          if (field.kind === "number" && newValue !== "") submitValue(newValue);
          else setDraft(newValue);
        }}
        onBlur={() => (draft === "" && field.kind === "number" ? setDraft(value) : submitValue(draft))}
        onKeyDown={(event) => event.key === "Enter" && submitValue(draft)}
      />
    </label>
  );
}
