const STEPS: readonly { name: string; path: string; targetIndex: (index: number, end: number) => number }[] = [
  { name: "To the start", path: "M2 3h2v10H2zM14 3v10L5 8z", targetIndex: () => 0 },
  { name: "One back", path: "M12 3v10L4 8z", targetIndex: (index) => index - 1 },
  { name: "One forward", path: "M4 3v10l8-5z", targetIndex: (index) => index + 1 },
  { name: "To the end", path: "M12 3h2v10h-2zM2 3v10l9-5z", targetIndex: (_index, end) => end },
];

interface StepsProps {
  index: number;
  end: number;
  onStep: (index: number) => void;
}

/** Buttons that step through the game: to the start, back, forward, to the end. */
export function Steps({ index, end, onStep }: StepsProps) {
  return (
    <span className="steps">
      {STEPS.map(({ name, path, targetIndex }) => {
        const target = targetIndex(index, end);
        return (
          <button
            key={name}
            type="button"
            className="step"
            aria-label={name}
            title={name}
            disabled={target === index || target < 0 || target > end}
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
