import { createContext, useCallback, useContext, useState, type ReactNode } from "react";

const Announce = createContext<(words: string) => void>(() => undefined);

export function useAnnounce(): (words: string) => void {
  return useContext(Announce);
}

/** Says what happened to who cannot see it. */
export function Announcer({ children }: { children: ReactNode }) {
  const [words, setWords] = useState("");
  const announce = useCallback((next: string) => {
    setWords((last) => (last === next ? `${next}\u00a0` : next));
  }, []);
  return (
    <Announce.Provider value={announce}>
      {children}
      <div className="sr-only" role="status" aria-live="polite" data-testid="announcer">
        {words}
      </div>
    </Announce.Provider>
  );
}
