import { CARDS, type CardName } from "./load.ts";
import type { Row } from "./report.ts";

const WIDTH = 880;
const LABEL_WIDTH = 200;
const VALUE_WIDTH = 90;
const BAR_HEIGHT = 22;
const ROW_HEIGHT = 32;
const HEAD_HEIGHT = 56;

const TITLES: Record<CardName, string> = {
  gradient: "A card with a gradient and two shadows",
  flat: "A card of flat colours",
};

/** Results that no other contender has, and whose long bars would make the others too short to compare. */
const NOT_SHOWN = ["no HTTP", "HTTP, from memory"];

const STYLE = `
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 16px }
  .value { font-variant-numeric: tabular-nums }
  .bar { fill: #afb8c1 }
  .ours { fill: #1d4ed8 }
  .paper { fill: #fff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .bar { fill: #484f58 } .ours { fill: #6ea8fe } .paper { fill: #0d1117 }
  }`;

function bar({ name, value, most, y }: { name: string; value: number; most: number; y: number }): string {
  const width = Math.max(2, ((WIDTH - LABEL_WIDTH - VALUE_WIDTH) * value) / most);
  const middle = y + BAR_HEIGHT / 2 + 5;
  const kind = name.startsWith("Platen") ? "bar ours" : "bar";
  return `
    <text x="${LABEL_WIDTH - 12}" y="${middle}" text-anchor="end">${name}</text>
    <rect class="${kind}" x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="3"/>
    <text class="value" x="${(LABEL_WIDTH + width + 8).toFixed(1)}" y="${middle}">${value.toFixed(1)}/s</text>`;
}

function panel(card: CardName, rows: Row[], top: number): string {
  const sorted = rows.toSorted((a, b) => b[card].perSecond - a[card].perSecond);
  const most = sorted[0]?.[card].perSecond ?? 1;
  const bars = sorted.map(({ name, [card]: { perSecond } }, index) =>
    bar({ name, value: perSecond, most, y: top + HEAD_HEIGHT + index * ROW_HEIGHT }),
  );
  return `<text class="title" x="16" y="${top + 32}">${TITLES[card]}</text>${bars.join("")}`;
}

/** The pictures per second of each contender, as an SVG for light and dark pages. */
export function chartOf(rows: Row[], { cpu, cores }: { cpu: string | undefined; cores: number }): string {
  const shown = rows.filter(({ note }) => !NOT_SHOWN.includes(note));
  const panelHeight = HEAD_HEIGHT + shown.length * ROW_HEIGHT;
  const height = CARDS.length * panelHeight + 48;
  const panels = CARDS.map((card, index) => panel(card, shown, index * panelHeight));
  const foot = `1200 × 630, every picture different, four clients, through HTTP. ${cores} cores${cpu ? `, ${cpu}` : ""}.`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Pictures per second, by service">
  <style>${STYLE}</style>
  <rect class="paper" width="100%" height="100%" rx="8"/>
  ${panels.join("\n  ")}
  <text x="16" y="${height - 18}">${foot}</text>
</svg>
`;
}
