import { LinkButton } from "../ui/form/button.tsx";
import { Headline } from "./introduction.tsx";

/** The distances of the lines from the upper edge of their sheet. */
const LINES_Y = [16, 36, 56];

const SHEETS = [
  { x: 8, y: 150, width: 300, height: 158, lines: [150, 96] },
  { x: 332, y: 60, width: 140, height: 248, lines: [84, 84, 52] },
  { x: 60, y: 8, width: 120, height: 120, lines: [72, 44] },
  { x: 204, y: 62, width: 104, height: 66, lines: [56] },
];

function Line({ y, length }: { y: number; length: number }) {
  return (
    <rect x="16" y={y} width={length} height="8" rx="4" className={y === LINES_Y[0] ? "fill-accent" : "fill-line"} />
  );
}

/** A decoration: blank sheets of several aspect ratios. */
function BlankSheets() {
  return (
    <svg viewBox="0 0 480 316" aria-hidden="true" className="hidden h-auto w-full max-w-lg justify-self-end lg:block">
      {SHEETS.map(({ x, y, width, height, lines }) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
          <rect width={width} height={height} rx="4" className="fill-surface stroke-edge" strokeDasharray="4 4" />
          {LINES_Y.slice(0, lines.length).map((top, at) => (
            <Line key={top} y={top} length={lines[at] ?? 0} />
          ))}
        </g>
      ))}
    </svg>
  );
}

/** The page for visitors who are not signed in. */
export function Invitation() {
  return (
    <div className="grid items-center gap-14 py-[8vh] lg:grid-cols-2">
      <div>
        <Headline>
          <p className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
            <LinkButton href="/login" tone="primary">
              Sign in
            </LinkButton>
            <span className="text-soft">To see templates and tokens, sign in.</span>
          </p>
        </Headline>
      </div>
      <BlankSheets />
    </div>
  );
}
