/** `1 render`, `1,204 renders`. */
export function countRenders(count: number): string {
  return count === 1 ? "1 render" : `${count.toLocaleString("en")} renders`;
}

type Day = { day: string; renders: number };

/** In units of the view box: the width of a bar with its gap, the gap, and the height of the chart. */
const STEP = 4;
const GAP = 1;
const HEIGHT = 28;

/** The height of the bar of a day without renders. */
const STUB = 1;

/** `412 renders in 30 days, 80 on the busiest, 2026-03-01`. */
function describe(days: Day[], total: number): string {
  const busiest = days.reduce((most, day) => (day.renders > most.renders ? day : most));
  return `${countRenders(total)} in ${days.length} days, ${busiest.renders.toLocaleString("en")} on the busiest, ${busiest.day}`;
}

/** A bar chart of the renders per day, oldest first, with their total. */
export function UsageChart({ days, total }: { days: Day[]; total: number }) {
  const most = Math.max(1, ...days.map(({ renders }) => renders));
  return (
    <span className="inline-flex max-w-full flex-wrap items-end gap-x-2.5">
      <svg
        role="img"
        aria-label={describe(days, total)}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="xMinYMax"
        className="h-7 w-30 max-w-full flex-none"
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
