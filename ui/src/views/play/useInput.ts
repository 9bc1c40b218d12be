import { useEffect, useRef, useState } from "react";

/**
 * What a visitor does while an answer is on its way is done when it is there, in order: four quick moves are four moves.
 *
 * `act` sees the page as it is when its turn comes. The answer of an action is given to whoever waits for it.
 */
export function useInput<T>(ready: boolean, act: (input: T) => boolean) {
  const waiting = useRef<{ input: T; done: (taken: boolean) => void }[]>([]);
  const [, again] = useState(0);

  useEffect(() => {
    if (!ready) return;
    const next = waiting.current.shift();
    if (!next) return;
    next.done(act(next.input));
    // One for each drawing of the page: the next one may depend on what this one changed.
    if (waiting.current.length) again((count) => count + 1);
  });

  /** Do it now, or as soon as it can be. */
  const take = (input: T): boolean | Promise<boolean> => {
    if (ready && !waiting.current.length) return act(input);
    return new Promise((done) => waiting.current.push({ input, done }));
  };
  const drop = () => {
    for (const { done } of waiting.current.splice(0)) done(false);
  };
  return { take, drop, waits: () => waiting.current.length > 0 };
}
