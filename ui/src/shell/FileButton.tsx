import { useRef } from "react";

interface Props {
  label: string;
  accept?: string;
  onFile: (file: File | undefined) => void;
}

/** A button that opens the file dialog and passes the chosen file to `onFile`. */
export function FileButton({ label, accept, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="quiet" onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          // Without this, choosing the same file again would fire no event.
          event.target.value = "";
        }}
      />
    </>
  );
}
