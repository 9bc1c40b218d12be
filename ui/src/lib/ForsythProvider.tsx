import { createContext, useContext, useMemo, useRef, type ReactNode } from "react";
import type { Connection } from "../api/transport";
import type { Theme } from "../api/types";
import { forsythService, type Service } from "./service";
import { usePageTheme } from "./theme";

/** Properties of every component. A missing property is taken from the nearest `ForsythProvider`. */
export interface Surroundings extends Connection {
  /** The colour theme. Default: the theme of the page, by its CSS `color-scheme`. */
  theme?: Theme | undefined;
}

/** The properties of `ForsythProvider`. */
export interface ForsythProviderProps extends Surroundings {
  children?: ReactNode;
}

const Context = createContext<Surroundings>({});

/** Set the service address, `fetch` and theme for all components inside it. */
export function ForsythProvider({ baseUrl, fetch, theme, children }: ForsythProviderProps) {
  const value = useMemo(() => ({ baseUrl, fetch, theme }), [baseUrl, fetch, theme]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

/** Return the service and its address: from `own`, else from the provider. */
function useConnection(props: Connection): { service: Service; baseUrl: string } {
  const inherited = useContext(Context);
  const baseUrl = props.baseUrl ?? inherited.baseUrl ?? "";
  const send = props.fetch ?? inherited.fetch;
  const service = useMemo(() => forsythService({ baseUrl, fetch: send }), [baseUrl, send]);
  return { service, baseUrl };
}

/** Return the service of the nearest `ForsythProvider`. */
export function useForsyth(): Service {
  return useConnection({}).service;
}

/** Return the service and theme of a component. `place` is the ref for its outermost element. */
export function useSurroundings<E extends Element>(props: Surroundings) {
  const outermost = useRef<E>(null);
  const inherited = useContext(Context);
  const theme = usePageTheme(outermost, props.theme ?? inherited.theme);
  return { ...useConnection(props), place: outermost, theme };
}
