import { useEffect, useLayoutEffect } from "react";

/** Run an effect before the browser paints. On a server, where React 18 warns about `useLayoutEffect`, run it as `useEffect`. */
export const useBeforePaint = typeof window === "object" ? useLayoutEffect : useEffect;
