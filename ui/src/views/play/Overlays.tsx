import { api } from "../../api/client";
import type { MatchView } from "../../api/types";
import type { Covering } from "../../board/Board";
import { useLatest } from "../../shell/hooks";
import { changeSettings, type Settings } from "../../shell/settings";

/** The name under which the settings keep that the reach of a piece is shown. */
const REACH = "reach";

/** What is laid over the board now: what the visitor switched on, and the reach of what is pointed at. */
export function useOverlays(view: MatchView | null, settings: Settings, cell: string | null): readonly Covering[] {
  const wanted = view?.overlays.filter(({ name }) => settings.overlays.includes(name)) ?? [];
  const asks = view?.overlays.length && settings.overlays.includes(REACH) && cell;
  const key = view && asks ? JSON.stringify([view.canonical, view.game, view.variant, cell]) : null;
  const answer = useLatest(key, (signal) =>
    api.reach(view!.canonical, { game: view!.game, variant: view!.variant }, cell!, signal),
  );
  return key && answer.data?.cells.length ? [...wanted, { owner: REACH, cells: answer.data.cells }] : wanted;
}

/** Switches for what can be laid over a board. */
export function OverlaySwitches({ view, settings }: { view: MatchView; settings: Settings }) {
  if (!view.overlays.length) return null;
  const names = [...view.overlays.map(({ name }) => name), REACH];
  const flip = (name: string) => {
    const others = settings.overlays.filter((one) => one !== name);
    changeSettings({ overlays: others.length < settings.overlays.length ? others : [...others, name] });
  };
  return (
    <div className="overlays" role="group" aria-label="Show on the board">
      <span className="muted">Show</span>
      {names.map((name) => (
        <button key={name} type="button" className="chip" aria-pressed={settings.overlays.includes(name)} onClick={() => flip(name)}>
          {name === REACH ? "Reach of a piece" : name}
        </button>
      ))}
    </div>
  );
}
