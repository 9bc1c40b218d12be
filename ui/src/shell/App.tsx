import { useEffect } from "react";
import { api, errorMessage } from "../api/client";
import type { GameInfo, IndexInfo } from "../api/types";
import { Compare } from "../views/Compare";
import { Edit } from "../views/Edit";
import { Library } from "../views/Library";
import { Many } from "../views/Many";
import { Play } from "../views/Play";
import { Workbench } from "../views/Workbench";
import { Announcer } from "./Announcer";
import { useLatestAnswer, useRoute, useTheme } from "./hooks";
import { KeyDialog } from "./KeyDialog";
import { EmptyState, Link } from "./parts";
import { SettingsPanel } from "./SettingsPanel";

/** The properties of every view. */
export interface ViewProps {
  games: readonly GameInfo[];
  /** The index of played games that the service offers, or null if it has none. */
  index: IndexInfo | null;
  theme: "light" | "dark";
  path: string;
  query: URLSearchParams;
}

const VIEWS = [
  { path: "/", name: "Workbench", View: Workbench, ownsPath: (path: string) => path === "/" || path.startsWith("/p/") },
  { path: "/play", name: "Play", View: Play, ownsPath: (path: string) => path === "/play" },
  { path: "/edit", name: "Edit", View: Edit, ownsPath: (path: string) => path === "/edit" },
  { path: "/compare", name: "Compare", View: Compare, ownsPath: (path: string) => path === "/compare" },
  { path: "/many", name: "Many", View: Many, ownsPath: (path: string) => path === "/many" },
  { path: "/library", name: "Library", View: Library, ownsPath: (path: string) => path === "/library" },
] as const;

/** The page: navigation bar, settings, and the view that belongs to the address. */
export function App() {
  const { path, query, visit } = useRoute();
  const [theme, setTheme] = useTheme();
  const games = useLatestAnswer("games", (signal) => api.games(signal));
  const activeView = VIEWS.find((view) => view.ownsPath(path));
  const name = activeView?.name ?? "Not found";

  useEffect(() => {
    document.title = `${name} · Forsyth`;
  }, [name]);

  return (
    <Announcer>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // Following the link would replace the fragment, which may contain a game.
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to the content
      </a>
      <header className="bar">
        <Link href="/" className="mark">
          Forsyth
        </Link>
        <nav aria-label="Views">
          {VIEWS.map((view) => (
            <Link key={view.path} href={view.path} aria-current={view === activeView ? "page" : undefined}>
              {view.name}
            </Link>
          ))}
        </nav>
        <SettingsPanel games={games.data?.games ?? []} />
        <button
          type="button"
          className="theme"
          aria-label={theme === "dark" ? "Light colours" : "Dark colours"}
          title={theme === "dark" ? "Light colours" : "Dark colours"}
          onClick={() => setTheme(theme === "dark" ? "light" : "dark")}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="12" cy="12" r="8.5" fill="none" />
            <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" />
          </svg>
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {!activeView ? (
          <EmptyState title="Page not found">
            <p>
              <Link href="/">Back to the workbench</Link>
            </p>
          </EmptyState>
        ) : games.data ? (
          <activeView.View key={`${activeView.path} ${visit}`} games={games.data.games} index={games.data.index ?? null} theme={theme} path={path} query={query} />
        ) : games.error ? (
          <EmptyState title="The service does not answer">
            <p className="muted" role="alert">
              {errorMessage(games.error)}
            </p>
            <button type="button" className="quiet" onClick={games.retry}>
              Try again
            </button>
          </EmptyState>
        ) : (
          <div className="waiting" aria-busy="true" />
        )}
      </main>
      <KeyDialog />
    </Announcer>
  );
}
