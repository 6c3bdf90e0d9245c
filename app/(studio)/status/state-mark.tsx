import type { StatusCheck } from "#lib/schemas/status-report.ts";

type State = StatusCheck["state"];

/** Each state has a shape, a word and a colour. */
const STATES: Record<State, { word: string; color: string; shape: string }> = {
  ok: {
    word: "Good",
    color: "text-good",
    shape: "M8 1.25a6.75 6.75 0 1 0 0 13.5 6.75 6.75 0 0 0 0-13.5ZM5 8.25l2.1 2.1L11 6.1",
  },
  warning: { word: "Look at this", color: "text-warn", shape: "M8 1.75 15 14H1L8 1.75ZM8 6.25v3.5M8 11.9v.1" },
  error: {
    word: "Broken",
    color: "text-danger",
    shape: "M5.2 1.25h5.6l3.95 3.95v5.6l-3.95 3.95H5.2L1.25 10.8V5.2L5.2 1.25ZM5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  },
};

/** The colour of a state's words. */
export function stateColor(state: State): string {
  return STATES[state].color;
}

/** The state's shape alone, for where its word is said beside it. */
export function StateShape({ state, className }: { state: State; className: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`flex-none fill-none stroke-[1.5] stroke-current ${STATES[state].color} ${className}`}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={STATES[state].shape} />
    </svg>
  );
}

/** A state's shape and word. */
export function StateMark({ state }: { state: State }) {
  const { word, color } = STATES[state];
  return (
    <span className={`inline-flex items-center gap-2 font-medium text-sm leading-6 whitespace-nowrap ${color}`}>
      <StateShape state={state} className="size-4" />
      {word}
    </span>
  );
}
