const STEPS: readonly { name: string; path: string; to: (at: number, end: number) => number }[] = [
  { name: "To the start", path: "M2 3h2v10H2zM14 3v10L5 8z", to: () => 0 },
  { name: "One back", path: "M12 3v10L4 8z", to: (at) => at - 1 },
  { name: "One forward", path: "M4 3v10l8-5z", to: (at) => at + 1 },
  { name: "To the end", path: "M12 3h2v10h-2zM2 3v10l9-5z", to: (_at, end) => end },
];

interface StepsProps {
  at: number;
  end: number;
  onStep: (at: number) => void;
}

/** To the start, back, forward, to the end. */
export function Steps({ at, end, onStep }: StepsProps) {
  return (
    <span className="steps">
      {STEPS.map(({ name, path, to }) => {
        const target = to(at, end);
        return (
          <button
            key={name}
            type="button"
            className="step"
            aria-label={name}
            title={name}
            disabled={target === at || target < 0 || target > end}
            onClick={() => onStep(target)}
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d={path} />
            </svg>
          </button>
        );
      })}
    </span>
  );
}
