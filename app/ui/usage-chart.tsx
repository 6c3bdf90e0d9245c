import { countRenders } from "./count-renders.ts";

type Day = { day: string; renders: number };

/** In units of the drawing: a bar's place, the gap in it, and the height of the whole. */
const STEP = 4;
const GAP = 1;
const HEIGHT = 28;

/** What is left of a day without renders, so that the days can be counted. */
const STUB = 1;

/** `412 renders in 30 days, 80 on the busiest, 2026-03-01`. */
function inWords(days: Day[], total: number): string {
  const busiest = days.reduce((most, day) => (day.renders > most.renders ? day : most));
  return `${countRenders(total)} in ${days.length} days, ${busiest.renders.toLocaleString("en")} on the busiest, ${busiest.day}`;
}

/** How much was rendered on each of some days, the oldest first: a bar a day, and the sum. */
export function UsageChart({ days, total }: { days: Day[]; total: number }) {
  const most = Math.max(1, ...days.map(({ renders }) => renders));
  return (
    <span className="inline-flex items-end gap-2.5">
      <svg
        role="img"
        aria-label={inWords(days, total)}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        className="h-7 w-30 flex-none"
      >
        {days.map(({ day, renders }, at) => {
          const height = renders === 0 ? STUB : Math.max(2 * STUB, (renders / most) * HEIGHT);
          return (
            <rect
              key={day}
              x={at * STEP}
              y={HEIGHT - height}
              width={STEP - GAP}
              height={height}
              className={renders === 0 ? "fill-edge/50" : "fill-ink"}
            >
              <title>{`${day}: ${renders.toLocaleString("en")}`}</title>
            </rect>
          );
        })}
      </svg>
      <span aria-hidden="true" className="text-sm tabular-nums">
        {total.toLocaleString("en")}
      </span>
    </span>
  );
}
