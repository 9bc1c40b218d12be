import { useEffect, useRef, useState, type FormEvent } from "react";
import { setAskForKey } from "../api/apiKey";

interface Question {
  /** Whether the service has refused a key. */
  isWrong: boolean;
  answer: (key: string | null) => void;
}

/** A dialog that asks for the API key of the service. It opens when the service refuses a request without the key. */
export function KeyDialog() {
  const [question, setQuestion] = useState<Question | null>(null);
  const [key, setKey] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    setAskForKey((isWrong) => new Promise((answer) => setQuestion({ isWrong, answer })));
    return () => setAskForKey(null);
  }, []);
  useEffect(() => {
    if (question && !dialog.current?.open) dialog.current?.showModal();
  }, [question]);

  const close = (answer: string | null) => {
    question?.answer(answer);
    setQuestion(null);
    setKey("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    close(key.trim());
  };

  if (!question) return null;
  return (
    <dialog
      ref={dialog}
      className="key-dialog"
      aria-labelledby="key-dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        close(null);
      }}
    >
      <form onSubmit={submit}>
        <h2 id="key-dialog-title">API key</h2>
        <p className="muted">The service requires its API key for the library. This browser stores the key.</p>
        {question.isWrong && (
          <p className="refused" role="alert">
            The service does not accept this key.
          </p>
        )}
        <label>
          Key
          <input
            autoFocus
            required
            type="password"
            autoComplete="off"
            pattern="\s*[!-~]+\s*"
            title="ASCII letters, digits and signs without spaces"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </label>
        <div className="save-buttons">
          <button type="submit" className="primary">
            Use key
          </button>
          <button type="button" className="quiet" onClick={() => close(null)}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
