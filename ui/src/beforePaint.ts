import { useEffect, useLayoutEffect } from "react";

/** An effect before the browser paints. On a server nothing is painted, and React 18 warns of `useLayoutEffect` there. */
export const useBeforePaint = typeof window === "object" ? useLayoutEffect : useEffect;
