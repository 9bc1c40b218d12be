import { useEffect, useMemo, useState } from "react";
import { api, sentence } from "../api/client";
import type { Saved } from "../api/types";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { TYPING, useLatest } from "../shell/hooks";
import { Empty, Link, Notice } from "../shell/parts";
import { GameSelect } from "./choices";
import { Entry } from "./library/Entry";
import { useTags } from "./library/useTags";

const PAGE = 48;

export function Library({ games, theme, query }: ViewProps) {
  const announce = useAnnounce();
  const [words, setWords] = useState(query.get("q") ?? "");
  const [game, setGame] = useState(query.get("game") ?? "");
  const [tag, setTag] = useState(query.get("tag") ?? "");
  const [changes, setChanges] = useState(0);
  const [delay, setDelay] = useState(0);
  const [more, setMore] = useState<{ positions: Saved[]; next: string | null } | null>(null);
  const [failed, setFailed] = useState("");

  const filter = { q: words.trim(), game, tag, limit: PAGE };
  const found = useLatest(JSON.stringify([filter, changes]), (signal) => api.library(filter, signal), delay);
  useEffect(() => setMore(null), [found.data]);

  const positions = useMemo(() => [...(found.data?.positions ?? []), ...(more?.positions ?? [])], [found.data, more]);
  const next = more ? more.next : (found.data?.next ?? null);
  const total = found.data?.total ?? 0;
  const tags = useTags(changes, positions);
  const filtered = Boolean(filter.q || game || tag);

  const attempt = async (action: () => Promise<unknown>, done: string) => {
    try {
      await action();
      setFailed("");
      setDelay(0);
      setChanges((count) => count + 1);
      announce(done);
    } catch (error) {
      setFailed(sentence(error));
    }
  };

  const loadMore = async () => {
    if (!next) return;
    try {
      const page = await api.library({ ...filter, after: next });
      setMore({ positions: [...(more?.positions ?? []), ...page.positions], next: page.next });
    } catch (error) {
      setFailed(sentence(error));
    }
  };

  return (
    <div className="library">
      <header className="library-head">
        <h1>Library</h1>
        <p className="muted" role="status">
          {found.data ? `${total} ${total === 1 ? "position" : "positions"}` : "\u00a0"}
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
        </form>
      </header>

      {found.error ? <Notice onRetry={found.retry}>{sentence(found.error)}</Notice> : null}
      {failed && <Notice>{failed}</Notice>}

      {found.data && !positions.length ? (
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
              onTag={(name) => (setDelay(0), setTag(name))}
              onChange={(change) => attempt(() => api.change(saved.id, change), "Changed.")}
              onRemove={() => attempt(() => api.remove(saved.id), `${saved.name} deleted.`)}
            />
          ))}
        </ul>
      )}
      {next && (
        <p className="more">
          <button type="button" className="quiet" onClick={loadMore}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}
