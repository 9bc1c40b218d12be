import { useEffect, useRef, useState } from "react";
import type { GameInfo } from "../api/types";
import { changeSettings, useSettings, type Settings } from "./settings";

const TOGGLES: readonly [key: "coordinates" | "animation" | "sounds", label: string][] = [
  ["coordinates", "Coordinates"],
  ["animation", "Animation"],
  ["sounds", "Sounds"],
];

/** A button that opens and closes the settings: switches, and the pieces and board of each game. */
export function SettingsPanel({ games }: { games: readonly GameInfo[] }) {
  const settings = useSettings();
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    const closeOutside = (event: Event) => !panel.current?.contains(event.target as Node) && setOpen(false);
    addEventListener("pointerdown", closeOutside);
    return () => removeEventListener("pointerdown", closeOutside);
  }, [open]);

  return (
    <div
      ref={panel}
      className="settings"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        setOpen(false);
        panel.current?.querySelector("button")?.focus();
      }}
    >
      <button type="button" className="theme" aria-label="Settings" title="Settings" aria-expanded={open} onClick={() => setOpen(!open)}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 7h9m4 0h3M4 17h3m4 0h9" fill="none" />
          <circle cx="15" cy="7" r="2.5" fill="none" />
          <circle cx="9" cy="17" r="2.5" fill="none" />
        </svg>
      </button>
      {open && (
        <div className="settings-panel" role="group" aria-label="Settings">
          {TOGGLES.map(([key, label]) => (
            <label key={key}>
              <input type="checkbox" checked={settings[key]} onChange={(event) => changeSettings({ [key]: event.target.checked })} />
              {label}
            </label>
          ))}
          <div className="settings-games">
            <p className="settings-heads" aria-hidden="true">
              <span>Pieces</span>
              <span>Board</span>
            </p>
            {games
              .filter(({ looks, boards }) => looks.length > 1 || boards.length > 1)
              .map((game) => (
                <fieldset key={game.name}>
                  <legend>{game.title}</legend>
                  <Choice name={`${game.title} pieces`} choices={game.looks} value={settings.looks[game.name]} onChoose={(look) => saveChoice("looks", settings, game, look)} />
                  <Choice name={`${game.title} board`} choices={game.boards} value={settings.boards[game.name]} onChoose={(board) => saveChoice("boards", settings, game, board)} />
                </fieldset>
              ))}
          </div>
        </div>
      )}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  choices: readonly string[];
  value: string | undefined;
  onChoose: (choice: string) => void;
}

/** A select for `choices`, the first of which is the default. Render nothing if there is no choice. */
function Choice({ name, choices, value, onChoose }: ChoiceProps) {
  if (choices.length < 2) return null;
  // The stored value may come from another version of the service.
  const selected = value && choices.includes(value) ? value : choices[0];
  return (
    <select aria-label={name} value={selected} onChange={(event) => onChoose(event.target.value)}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

/** Store the choice for `game`. Choosing the default removes the stored value. */
function saveChoice(setting: "looks" | "boards", settings: Settings, game: GameInfo, choice: string): void {
  const { [game.name]: _, ...others } = settings[setting];
  changeSettings({ [setting]: choice === game[setting][0] ? others : { ...others, [game.name]: choice } });
}
