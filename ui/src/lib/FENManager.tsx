import { useId, useRef, useState, type KeyboardEvent } from "react";
import { FENDisplay, type FENDisplayProps } from "./FENDisplay";
import { FENInput, USUAL_GAME, type FENInputProps } from "./FENInput";
import { useSurroundings, type Surroundings } from "./ForsythProvider";
import type { About } from "./service";

/** The texts are of `game`, Azul if it is left out; with `null` the service tells the game from each text. */
export interface FENManagerProps
  extends About,
    Surroundings,
    Pick<FENDisplayProps, "fenString" | "onCopy" | "showDetails" | "validation" | "gameState">,
    Pick<FENInputProps, "onLoad" | "examples" | "load" | "onFENLoad"> {
  defaultTab?: "display" | "input";
  validate?: FENInputProps["validate"];
  className?: string;
}

const TABS = [
  { key: "display", label: "Current FEN" },
  { key: "input", label: "Load FEN" },
] as const;

type Tab = (typeof TABS)[number]["key"];

export function FENManager(props: FENManagerProps) {
  const [tab, setTab] = useState<Tab>(props.defaultTab ?? "display");
  const id = useId();
  const buttons = useRef(new Map<Tab, HTMLButtonElement>());
  const { place, theme } = useSurroundings<HTMLDivElement>(props);
  const shared = {
    game: props.game === undefined ? USUAL_GAME : props.game,
    variant: props.variant,
    baseUrl: props.baseUrl,
    fetch: props.fetch,
    theme: theme ?? undefined,
    ...(props.validate ? { validate: props.validate } : {}),
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const here = TABS.findIndex(({ key }) => key === tab);
    const steps: Record<string, number> = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: TABS.length - 1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = TABS[(to + TABS.length) % TABS.length]!.key;
    setTab(next);
    buttons.current.get(next)?.focus();
  };

  return (
    <div
      ref={place}
      className={["forsyth fen-manager", props.className].filter(Boolean).join(" ")}
      data-theme={theme ?? undefined}
    >
      <div role="tablist" aria-label="FEN" className="fen-tabs" onKeyDown={onKeyDown}>
        {TABS.map(({ key, label }) => (
          <button
            key={key}
            ref={(element) => {
              if (element) buttons.current.set(key, element);
            }}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-controls={`${id}-${key}-panel`}
            aria-selected={tab === key}
            tabIndex={tab === key ? 0 : -1}
            onClick={() => setTab(key)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-display-panel`} aria-labelledby={`${id}-display`} hidden={tab !== "display"}>
        <FENDisplay
          fenString={props.fenString ?? null}
          gameState={props.gameState ?? null}
          validation={props.validation ?? null}
          showDetails={props.showDetails ?? false}
          {...(props.onCopy ? { onCopy: props.onCopy } : {})}
          {...(props.load ? { load: props.load } : {})}
          {...shared}
        />
      </div>
      <div role="tabpanel" id={`${id}-input-panel`} aria-labelledby={`${id}-input`} hidden={tab !== "input"}>
        <FENInput
          {...shared}
          {...(props.examples ? { examples: props.examples } : {})}
          {...(props.load ? { load: props.load } : {})}
          {...(props.onFENLoad ? { onFENLoad: props.onFENLoad } : {})}
          onLoad={async (fen) => {
            await props.onLoad?.(fen);
            setTab("display");
          }}
        />
      </div>
    </div>
  );
}
