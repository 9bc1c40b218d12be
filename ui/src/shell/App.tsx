import { useEffect } from "react";
import { api, sentence } from "../api/client";
import type { GameInfo, IndexInfo } from "../api/types";
import { Compare } from "../views/Compare";
import { Edit } from "../views/Edit";
import { Library } from "../views/Library";
import { Many } from "../views/Many";
import { Play } from "../views/Play";
import { Workbench } from "../views/Workbench";
import { Announcer } from "./Announcer";
import { useLatest, useRoute, useTheme } from "./hooks";
import { Empty, Link } from "./parts";
import { SettingsPanel } from "./SettingsPanel";

export interface ViewProps {
  games: readonly GameInfo[];
  /** What the service knows of games that were played; null where it knows none. */
  index: IndexInfo | null;
  theme: "light" | "dark";
  path: string;
  query: URLSearchParams;
}

const VIEWS = [
  { path: "/", name: "Workbench", View: Workbench, owns: (path: string) => path === "/" || path.startsWith("/p/") },
  { path: "/play", name: "Play", View: Play, owns: (path: string) => path === "/play" },
  { path: "/edit", name: "Edit", View: Edit, owns: (path: string) => path === "/edit" },
  { path: "/compare", name: "Compare", View: Compare, owns: (path: string) => path === "/compare" },
  { path: "/many", name: "Many", View: Many, owns: (path: string) => path === "/many" },
  { path: "/library", name: "Library", View: Library, owns: (path: string) => path === "/library" },
] as const;

export function App() {
  const { path, query, visit } = useRoute();
  const [theme, setTheme] = useTheme();
  const games = useLatest("games", (signal) => api.games(signal));
  const here = VIEWS.find((view) => view.owns(path));
  const name = here?.name ?? "Not found";

  useEffect(() => {
    document.title = `${name} · Forsyth`;
  }, [name]);

  return (
    <Announcer>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // The fragment of an address may hold a game.
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
            <Link key={view.path} href={view.path} aria-current={view === here ? "page" : undefined}>
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
        {!here ? (
          <Empty title="There is no such page">
            <p>
              <Link href="/">Back to the workbench</Link>
            </p>
          </Empty>
        ) : games.data ? (
          <here.View key={`${here.path} ${visit}`} games={games.data.games} index={games.data.index ?? null} theme={theme} path={path} query={query} />
        ) : games.error ? (
          <Empty title="No answer from the service">
            <p className="muted" role="alert">
              {sentence(games.error)}
            </p>
            <button type="button" className="quiet" onClick={games.retry}>
              Try again
            </button>
          </Empty>
        ) : (
          <div className="waiting" aria-busy="true" />
        )}
      </main>
    </Announcer>
  );
}
