import { api } from "../../api/client";
import type { MatchView } from "../../api/types";
import type { Covering } from "../../board/Board";
import { useLatestAnswer } from "../../shell/hooks";
import { changeSettings, type Settings } from "../../shell/settings";

/** Name of the overlay "Reach of a piece" in the settings. */
const REACH = "reach";

/** Return the overlays that are switched on. With "Reach of a piece", include the reach of the piece on `cell`. */
export function useOverlays(view: MatchView | null, settings: Settings, cell: string | null): readonly Covering[] {
  const activeOverlays = view?.overlays.filter(({ name }) => settings.overlays.includes(name)) ?? [];
  const showsReach = view?.overlays.length && settings.overlays.includes(REACH) && cell;
  const key = view && showsReach ? JSON.stringify([view.canonical, view.game, view.variant, cell]) : null;
  const answer = useLatestAnswer(key, (signal) =>
    api.reach(view!.canonical, { game: view!.game, variant: view!.variant }, cell!, signal),
  );
  return key && answer.data?.cells.length ? [...activeOverlays, { owner: REACH, cells: answer.data.cells }] : activeOverlays;
}

/** Buttons that switch overlays on and off. */
export function OverlaySwitches({ view, settings }: { view: MatchView; settings: Settings }) {
  if (!view.overlays.length) return null;
  const names = [...view.overlays.map(({ name }) => name), REACH];
  const toggleOverlay = (name: string) => {
    const remaining = settings.overlays.filter((active) => active !== name);
    changeSettings({ overlays: remaining.length < settings.overlays.length ? remaining : [...remaining, name] });
  };
  return (
    <div className="overlays" role="group" aria-label="Show on the board">
      <span className="muted">Show</span>
      {names.map((name) => (
        <button key={name} type="button" className="chip" aria-pressed={settings.overlays.includes(name)} onClick={() => toggleOverlay(name)}>
          {name === REACH ? "Reach of a piece" : name}
        </button>
      ))}
    </div>
  );
}
