import { useMemo, useState, type MouseEvent } from "react";
import { storedKey } from "../api/apiKey";
import { api, libraryUrl, loadLibraryFile, errorMessage } from "../api/client";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { FileButton } from "../shell/FileButton";
import { TYPING_DELAY } from "../shell/hooks";
import { EmptyState, Link, Notice } from "../shell/parts";
import { saveAsFile } from "../text/files";
import { GameSelect } from "./choices";
import { Entry } from "./library/Entry";
import { importFile, type ImportResult } from "./library/importFile";
import { Selection } from "./library/Selection";
import { useAddress } from "./library/useAddress";
import { PAGE_SIZE, SORTS, useSavedPositions, type Sort } from "./library/useSavedPositions";
import { useTags } from "./library/useTags";

/** Maximum number of entries that an address can request at once. */
const MAX_INITIAL_COUNT = 2000;

/** Name of the exported file. */
const EXPORT_NAME = "library.jsonl";

/** The view *Library*: saved positions with search, import, export and deletion. */
export function Library({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [searchText, setSearchText] = useState(query.get("q") ?? "");
  const [game, setGame] = useState(query.get("game") ?? "");
  const [tag, setTag] = useState(query.get("tag") ?? "");
  const [sort, setSort] = useState<Sort>(() => parseSort(query.get("sort")));
  const [version, setVersion] = useState(0);
  const [delay, setDelay] = useState(0);
  const [lastProblem, setLastProblem] = useState("");
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
  const [imported, setImported] = useState<ImportResult | null>(null);

  const filter = { q: searchText.trim(), game, tag };
  const library = useSavedPositions(filter, sort, version, initialCountOf(query), delay);
  const { positions, total } = library;
  const tags = useTags(version, positions);
  const isFiltered = Boolean(filter.q || game || tag);
  useAddress({ ...filter, sort: sort === "newest" ? "" : sort }, positions.length, Boolean(library.data), query);
  const selected = useMemo(() => positions.filter(({ id }) => chosenIds.has(id)), [chosenIds, positions]);

  const finishAction = (message: string, problem = "") => {
    setLastProblem(problem);
    setDelay(0);
    setVersion((count) => count + 1);
    announce(message);
  };
  const runAction = async (action: () => Promise<unknown>, message: string) => {
    try {
      await action();
      finishAction(message);
    } catch (error) {
      setLastProblem(errorMessage(error));
    }
  };
  const importChosenFile = async (file: File | undefined) => {
    if (!file) return;
    try {
      const result = await importFile(file);
      setImported(result);
      finishAction(describeImport(result));
    } catch (error) {
      setLastProblem(errorMessage(error));
      setVersion((count) => count + 1);
    }
  };
  /** Download the export here if the service needs its key, because the browser follows a link without the key. */
  const exportWithKey = (event: MouseEvent) => {
    if (!storedKey()) return;
    event.preventDefault();
    void loadLibraryFile(filter).then(
      (text) => saveAsFile(text, EXPORT_NAME),
      (error: unknown) => setLastProblem(errorMessage(error)),
    );
  };
  const choose = (id: string, isChosen: boolean) => {
    const newIds = new Set(chosenIds);
    if (isChosen) newIds.add(id);
    else newIds.delete(id);
    setChosenIds(newIds);
  };
  const isLoaded = library.data !== null;

  return (
    <div className="library">
      <header className="library-head">
        <h1>Library</h1>
        <p className="muted" role="status">
          {isLoaded ? `${total} ${total === 1 ? "position" : "positions"}` : "\u00a0"}
        </p>
        <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
          <label>
            <span className="sr-only">Search</span>
            <input
              type="search"
              placeholder="Search names, notes and texts"
              value={searchText}
              onChange={(event) => (setDelay(TYPING_DELAY), setSearchText(event.target.value))}
            />
          </label>
          <label>
            <span className="sr-only">Game</span>
            <GameSelect games={games} value={game} onChange={(next) => (setDelay(0), setGame(next))}>
              <option value="">All games</option>
            </GameSelect>
          </label>
          <label>
            <span className="sr-only">Tag</span>
            <select value={tag} onChange={(event) => (setDelay(0), setTag(event.target.value))}>
              <option value="">All tags</option>
              {[...new Set([...tags, ...(tag ? [tag] : [])])].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label>
            <span className="sr-only">Sort</span>
            <select value={sort} onChange={(event) => (setDelay(0), setSort(parseSort(event.target.value)))}>
              {Object.entries(SORTS).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </form>
        <p className="library-files">
          <FileButton label="Import" accept=".jsonl,.ndjson,.json,.txt" onFile={importChosenFile} />
          <a className="quiet" href={libraryUrl(filter)} download={EXPORT_NAME} onClick={exportWithKey}>
            {isFiltered ? "Export search results" : "Export all"}
          </a>
        </p>
      </header>

      {library.error ? <Notice onRetry={library.retry}>{errorMessage(library.error)}</Notice> : null}
      {lastProblem || library.pageError ? <Notice>{lastProblem || library.pageError}</Notice> : null}
      {imported && (
        <div className="imported" role="status">
          <p>{describeImport(imported)}</p>
          {imported.problems.map((problem) => (
            <p key={problem} className="refused">
              {problem}
            </p>
          ))}
          <button type="button" className="link" onClick={() => setImported(null)}>
            Close
          </button>
        </div>
      )}
      <Selection selected={selected} shown={positions} onChoose={(ids) => setChosenIds(new Set(ids))} onDone={finishAction} />

      {isLoaded && !positions.length ? (
        isFiltered ? (
          <EmptyState title="Nothing found">
            <p className="muted">No saved position matches this search.</p>
            <button
              type="button"
              className="quiet"
              onClick={() => {
                setDelay(0);
                setSearchText("");
                setGame("");
                setTag("");
              }}
            >
              Show everything
            </button>
          </EmptyState>
        ) : (
          <EmptyState title="No positions yet">
            <p className="muted">
              To save a position, open it in the <Link href="/">workbench</Link> and choose <em>Save</em>.
            </p>
          </EmptyState>
        )
      ) : (
        <ul className="shelf">
          {positions.map((saved) => (
            <Entry
              key={saved.id}
              saved={saved}
              theme={theme}
              gameTitle={games.find(({ name }) => name === saved.game)?.title ?? saved.game}
              chosen={chosenIds.has(saved.id)}
              onChoose={(isChosen) => choose(saved.id, isChosen)}
              onTag={(name) => (setDelay(0), setTag(name))}
              onChange={(change) => runAction(() => api.change(saved.id, change), "Changed.")}
              onRemove={() => runAction(() => api.remove(saved.id), `${saved.name} deleted.`)}
            />
          ))}
        </ul>
      )}
      {library.hasMore && (
        <p className="more">
          <button type="button" className="quiet" onClick={library.loadMore}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}

/** Return the sort order of an address. Default: newest first. */
function parseSort(value: string | null): Sort {
  return value !== null && value in SORTS ? (value as Sort) : "newest";
}

/** Return the number of entries that an address requests. */
function initialCountOf(query: URLSearchParams): number {
  return Math.min(MAX_INITIAL_COUNT, Math.max(PAGE_SIZE, Math.floor(Number(query.get("n"))) || 0));
}

/** Describe the result of an import. */
function describeImport({ saved, refused }: ImportResult): string {
  return `${saved} imported${refused ? `, ${refused} refused` : ""}.`;
}
