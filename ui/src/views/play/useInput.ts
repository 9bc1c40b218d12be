import { useEffect, useRef, useState } from "react";

/**
 * Queue the visitor's input while the service has not answered, so that quick moves are not lost.
 *
 * When `ready` becomes true, the queued inputs are passed to `act` in order, one per render. `act` returns whether it
 * accepted the input, and `submitInput` returns or resolves to that result.
 */
export function useInput<T>(ready: boolean, act: (input: T) => boolean) {
  const queue = useRef<{ input: T; resolve: (accepted: boolean) => void }[]>([]);
  const [, rerender] = useState(0);

  useEffect(() => {
    if (!ready) return;
    const queued = queue.current.shift();
    if (!queued) return;
    queued.resolve(act(queued.input));
    // One input per render, because the next one may depend on the changes of this one.
    if (queue.current.length) rerender((count) => count + 1);
  });

  /** Process an input now, or as soon as possible. */
  const submitInput = (input: T): boolean | Promise<boolean> => {
    if (ready && !queue.current.length) return act(input);
    return new Promise((resolve) => queue.current.push({ input, resolve }));
  };
  /** Discard the queued inputs. */
  const clearQueue = () => {
    for (const { resolve } of queue.current.splice(0)) resolve(false);
  };
  return { submitInput, clearQueue };
}
