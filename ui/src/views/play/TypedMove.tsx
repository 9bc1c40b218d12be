import { useState, type FormEvent } from "react";

/** A text field for a move in any notation. */
export function TypedMove({ onType }: { onType: (move: string) => void }) {
  const [move, setMove] = useState("");
  const play = (event: FormEvent) => {
    event.preventDefault();
    if (!move.trim()) return;
    onType(move.trim());
    setMove("");
  };
  return (
    <form className="typed-move" onSubmit={play}>
      <input
        aria-label="Move"
        placeholder="Type a move"
        value={move}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        onChange={(event) => setMove(event.target.value)}
      />
    </form>
  );
}
