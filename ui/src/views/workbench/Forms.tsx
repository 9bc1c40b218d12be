import { CopyButton } from "../../shell/parts";

const FORMS: readonly [key: string, label: string][] = [
  ["plain", "Plain"],
  ["canonical", "Canonical"],
  ["base64", "Base64"],
  ["fenz", "Compressed"],
  ["state", "Hash"],
  ["url", "URL text"],
  ["link", "Link"],
];

/** The text in every form; a text that is no position has a link alone. */
export function Forms({ forms, text }: { forms: Record<string, string | null> | null; text: string }) {
  return (
    <dl className="forms">
      {FORMS.map(([key, label]) => {
        const value = forms?.[key] ?? (key === "link" && text ? `/p/${encodeURIComponent(text)}` : null);
        const full = key === "link" && value ? new URL(value, location.origin).href : value;
        return (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <code title={full ?? undefined}>{full ?? "—"}</code>
              {full && <CopyButton text={full} name={label} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
