import { useId, useRef, useState, type KeyboardEvent } from "react";
import { FENDisplay, type FENDisplayProps } from "./FENDisplay";
import { FENInput, DEFAULT_GAME, type FENInputProps } from "./FENInput";
import { useSurroundings, type Surroundings } from "./ForsythProvider";
import type { About } from "./service";

/** `game` is the game of the texts. Default: Azul. With null, the service detects it. */
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

/** Two tabs: `FENDisplay` for the current text and `FENInput` to load another one. */
export function FENManager(props: FENManagerProps) {
  const [tab, setTab] = useState<Tab>(props.defaultTab ?? "display");
  const id = useId();
  const buttons = useRef(new Map<Tab, HTMLButtonElement>());
  const { place, theme } = useSurroundings<HTMLDivElement>(props);
  const shared = {
    game: props.game === undefined ? DEFAULT_GAME : props.game,
    variant: props.variant,
    baseUrl: props.baseUrl,
    fetch: props.fetch,
    theme: theme ?? undefined,
    ...(props.validate ? { validate: props.validate } : {}),
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const index = TABS.findIndex(({ key }) => key === tab);
    const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: TABS.length - 1 };
    const target = steps[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = TABS[(target + TABS.length) % TABS.length]!.key;
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
