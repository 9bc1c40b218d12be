import { createContext, useContext, useMemo, useRef, type ReactNode } from "react";
import type { Connection } from "../api/transport";
import type { Theme } from "../api/types";
import { forsythService, type Service } from "./service";
import { usePageTheme } from "./theme";

/** What every component takes, and takes from the provider above it where it is not given. */
export interface Surroundings extends Connection {
  /** The colours; without it those of the page, by its CSS `color-scheme`. */
  theme?: Theme | undefined;
}

export interface ForsythProviderProps extends Surroundings {
  children?: ReactNode;
}

const Context = createContext<Surroundings>({});

/** Says once, for all components inside it, where the service is and how it is asked. */
export function ForsythProvider({ baseUrl, fetch, theme, children }: ForsythProviderProps) {
  const value = useMemo(() => ({ baseUrl, fetch, theme }), [baseUrl, fetch, theme]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

/** The service that is asked: by the component's own props, else as the provider says. */
function useConnection(own: Connection): { service: Service; baseUrl: string } {
  const around = useContext(Context);
  const baseUrl = own.baseUrl ?? around.baseUrl ?? "";
  const carry = own.fetch ?? around.fetch;
  const service = useMemo(() => forsythService({ baseUrl, fetch: carry }), [baseUrl, carry]);
  return { service, baseUrl };
}

/** The service that the components around this place ask. */
export function useForsyth(): Service {
  return useConnection({}).service;
}

/** The service and the colours of a component, whose outermost element is `place`. */
export function useSurroundings<E extends Element>(own: Surroundings) {
  const place = useRef<E>(null);
  const around = useContext(Context);
  const theme = usePageTheme(place, own.theme ?? around.theme);
  return { ...useConnection(own), place, theme };
}
