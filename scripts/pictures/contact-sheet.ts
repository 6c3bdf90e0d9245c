import sharp from "sharp";
import { renderTemplate } from "#lib/render/render-template.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";

/** Twice the width at which GitHub shows a README. */
const WIDTH_PX = 1_660;
const GAP_PX = 20;
const CORNER_PX = 10;

/** A picture, or an arrangement side by side or from top to bottom. */
type Part = RenderRequest | { row: Part[] } | { column: Part[] };

const shown = (template: string, variant: string): Part => ({ template, variant });

/** What the README shows: different kinds, sizes and scripts, with no two neighbours of one colour. */
const SHEET: Part = {
  column: [
    {
      row: [
        shown("social/story", "fireworks"),
        {
          column: [
            { row: [shown("social/podcast", "mitbach"), shown("social/quote", "book")] },
            shown("blog/article", "harbour"),
          ],
        },
        shown("food/menu", "rettich"),
      ],
    },
    {
      row: [
        { column: [shown("dev/repository", "tideline"), shown("dev/code", "patch")] },
        { column: [shown("social/video", "jajeon"), shown("event/ticket", "club")] },
        shown("commerce/sale", "nasij"),
      ],
    },
    {
      row: [
        shown("document/certificate", "raga"),
        shown("commerce/product", "dabba"),
        shown("sport/result", "final"),
        shown("data/figure", "pukur"),
      ],
    },
  ],
};

/** A part whose height in pixels is `slope * width + base`: gaps do not grow with the pictures. */
type Measured = { slope: number; base: number } & (
  | { png: Buffer }
  | { direction: "row" | "column"; parts: Measured[] }
);

async function measure(part: Part): Promise<Measured> {
  if ("template" in part) {
    const { png } = await renderTemplate(part);
    const { width, height } = await sharp(png).metadata();
    return { png, slope: height / width, base: 0 };
  }
  const direction = "row" in part ? "row" : "column";
  const parts: Measured[] = [];
  for (const inner of "row" in part ? part.row : part.column) parts.push(await measure(inner));
  const gaps = GAP_PX * (parts.length - 1);
  const sum = (of: (inner: Measured) => number) => parts.reduce((total, inner) => total + of(inner), 0);
  if (direction === "column")
    return { direction, parts, slope: sum(({ slope }) => slope), base: sum(({ base }) => base) + gaps };
  // The parts of a row have one height, and their widths with the gaps are the width of the row.
  const slope = 1 / sum((inner) => 1 / inner.slope);
  return { direction, parts, slope, base: slope * (sum((inner) => inner.base / inner.slope) - gaps) };
}

type Box = { left: number; top: number; width: number; height: number };

/** The pictures with their boxes. The edges are whole pixels. */
function place(part: Measured, { left, top, width, height }: Box): { png: Buffer; box: Box }[] {
  if ("png" in part) {
    const [x, y] = [Math.round(left), Math.round(top)];
    return [
      {
        png: part.png,
        box: { left: x, top: y, width: Math.round(left + width) - x, height: Math.round(top + height) - y },
      },
    ];
  }
  let [x, y] = [left, top];
  return part.parts.flatMap((inner) => {
    const size =
      part.direction === "row"
        ? { width: (height - inner.base) / inner.slope, height }
        : { width, height: inner.slope * width + inner.base };
    const placed = place(inner, { left: x, top: y, ...size });
    if (part.direction === "row") x += size.width + GAP_PX;
    else y += size.height + GAP_PX;
    return placed;
  });
}

async function cut(png: Buffer, { width, height }: Box): Promise<Buffer> {
  const corners = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" rx="${CORNER_PX}"/></svg>`;
  const mask = { input: Buffer.from(corners), blend: "dest-in" as const };
  return await sharp(png).resize(width, height, { fit: "fill" }).ensureAlpha().composite([mask]).png().toBuffer();
}

/** Draws shipped templates of many kinds side by side, whole, on a ground that shows through. */
export async function drawContactSheet(): Promise<Buffer> {
  const sheet = await measure(SHEET);
  const height = sheet.slope * WIDTH_PX + sheet.base;
  const placed = place(sheet, { left: 0, top: 0, width: WIDTH_PX, height });
  const overlays = await Promise.all(
    placed.map(async ({ png, box }) => ({ input: await cut(png, box), left: box.left, top: box.top })),
  );
  const create = { width: WIDTH_PX, height: Math.round(height), channels: 4 as const, background: "#0000" };
  return await sharp({ create }).composite(overlays).png({ palette: true, effort: 10 }).toBuffer();
}
