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

/** The text in all its forms. If it is not a position, only a link is available. */
export function Forms({ forms, text }: { forms: Record<string, string | null> | null; text: string }) {
  return (
    <dl className="forms">
      {FORMS.map(([key, label]) => {
        const value = forms?.[key] ?? (key === "link" && text ? `/p/${encodeURIComponent(text)}` : null);
        const fullValue = key === "link" && value ? new URL(value, location.origin).href : value;
        return (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <code title={fullValue ?? undefined}>{fullValue ?? "—"}</code>
              {fullValue && <CopyButton text={fullValue} name={label} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
