import { useMemo, useState } from "react";
import { api, libraryFile, sentence } from "../api/client";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { FileButton } from "../shell/FileButton";
import { TYPING } from "../shell/hooks";
import { Empty, Link, Notice } from "../shell/parts";
import { GameSelect } from "./choices";
import { Entry } from "./library/Entry";
import { importFile, type ImportResult } from "./library/importFile";
import { Selection } from "./library/Selection";
import { useAddress } from "./library/useAddress";
import { PAGE, SORTS, useShelf, type Sort } from "./library/useShelf";
import { useTags } from "./library/useTags";

/** Most cards that an address asks for at once. */
const MOST = 2000;

export function Library({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [words, setWords] = useState(query.get("q") ?? "");
  const [game, setGame] = useState(query.get("game") ?? "");
  const [tag, setTag] = useState(query.get("tag") ?? "");
  const [sort, setSort] = useState<Sort>(() => sortOf(query.get("sort")));
  const [changes, setChanges] = useState(0);
  const [delay, setDelay] = useState(0);
  const [failed, setFailed] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [imported, setImported] = useState<ImportResult | null>(null);

  const filter = { q: words.trim(), game, tag };
  const shelf = useShelf(filter, sort, changes, firstOf(query), delay);
  const { positions, total } = shelf;
  const tags = useTags(changes, positions);
  const filtered = Boolean(filter.q || game || tag);
  useAddress({ ...filter, sort: sort === "newest" ? "" : sort }, positions.length, Boolean(shelf.data), query);
  const selected = useMemo(() => positions.filter(({ id }) => chosen.has(id)), [chosen, positions]);

  const done = (said: string, problem = "") => {
    setFailed(problem);
    setDelay(0);
    setChanges((count) => count + 1);
    announce(said);
  };
  const attempt = async (action: () => Promise<unknown>, said: string) => {
    try {
      await action();
      done(said);
    } catch (error) {
      setFailed(sentence(error));
    }
  };
  const takeFile = async (file: File | undefined) => {
    if (!file) return;
    try {
      const result = await importFile(file);
      setImported(result);
      done(importWords(result));
    } catch (error) {
      setFailed(sentence(error));
      setChanges((count) => count + 1);
    }
  };
  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const shown = shelf.data !== null;

  return (
    <div className="library">
      <header className="library-head">
        <h1>Library</h1>
        <p className="muted" role="status">
          {shown ? `${total} ${total === 1 ? "position" : "positions"}` : "\u00a0"}
        </p>
        <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
          <label>
            <span className="sr-only">Search</span>
            <input
              type="search"
              placeholder="Search names, notes and texts"
              value={words}
              onChange={(event) => (setDelay(TYPING), setWords(event.target.value))}
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
            <select value={sort} onChange={(event) => (setDelay(0), setSort(sortOf(event.target.value)))}>
              {Object.entries(SORTS).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </form>
        <p className="library-files">
          <FileButton label="Import" accept=".jsonl,.ndjson,.json,.txt" onFile={takeFile} />
          <a className="quiet" href={libraryFile(filter)} download="library.jsonl">
            {filtered ? "Export what was found" : "Export all"}
          </a>
        </p>
      </header>

      {shelf.error ? <Notice onRetry={shelf.retry}>{sentence(shelf.error)}</Notice> : null}
      {failed || shelf.failed ? <Notice>{failed || shelf.failed}</Notice> : null}
      {imported && (
        <div className="imported" role="status">
          <p>{importWords(imported)}</p>
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
      <Selection chosen={selected} shown={positions} onChoose={(ids) => setChosen(new Set(ids))} onDone={done} />

      {shown && !positions.length ? (
        filtered ? (
          <Empty title="Nothing found">
            <p className="muted">No saved position matches this search.</p>
            <button
              type="button"
              className="quiet"
              onClick={() => {
                setDelay(0);
                setWords("");
                setGame("");
                setTag("");
              }}
            >
              Show everything
            </button>
          </Empty>
        ) : (
          <Empty title="No positions yet">
            <p className="muted">
              Read a text in the <Link href="/">workbench</Link> and choose <em>Save</em>: it will wait for you here.
            </p>
          </Empty>
        )
      ) : (
        <ul className="shelf">
          {positions.map((saved) => (
            <Entry
              key={saved.id}
              saved={saved}
              theme={theme}
              title={games.find(({ name }) => name === saved.game)?.title ?? saved.game}
              chosen={chosen.has(saved.id)}
              onChoose={(on) => choose(saved.id, on)}
              onTag={(name) => (setDelay(0), setTag(name))}
              onChange={(change) => attempt(() => api.change(saved.id, change), "Changed.")}
              onRemove={() => attempt(() => api.remove(saved.id), `${saved.name} deleted.`)}
            />
          ))}
        </ul>
      )}
      {shelf.hasMore && (
        <p className="more">
          <button type="button" className="quiet" onClick={shelf.loadMore}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}

function sortOf(word: string | null): Sort {
  return word !== null && word in SORTS ? (word as Sort) : "newest";
}

/** How many cards an address asks for. */
function firstOf(query: URLSearchParams): number {
  return Math.min(MOST, Math.max(PAGE, Math.floor(Number(query.get("n"))) || 0));
}

function importWords({ saved, refused }: ImportResult): string {
  return `${saved} imported${refused ? `, ${refused} refused` : ""}.`;
}
