import { createContext, useCallback, useContext, useState, type ReactNode } from "react";

const AnnounceContext = createContext<(message: string) => void>(() => undefined);

/** Return a function that announces a message to screen readers. */
export function useAnnounce(): (message: string) => void {
  return useContext(AnnounceContext);
}

/** Provide `useAnnounce` to `children`, and render the live region that screen readers read aloud. */
export function Announcer({ children }: { children: ReactNode }) {
  const [message, setMessage] = useState("");
  const announce = useCallback((newMessage: string) => {
    // Screen readers read a text only when it changes. The added space makes a repeated message differ.
    setMessage((previous) => (previous === newMessage ? `${newMessage}\u00a0` : newMessage));
  }, []);
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <div className="sr-only" role="status" aria-live="polite" data-testid="announcer">
        {message}
      </div>
    </AnnounceContext.Provider>
  );
}
