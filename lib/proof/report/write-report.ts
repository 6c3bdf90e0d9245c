import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Judged, Verdict } from "#lib/proof/judge.ts";
import { renderPicture } from "#lib/render/render.ts";
import { sharp } from "#lib/sharp.ts";
import { reportPage, type Shown, sheetPage } from "./page.ts";
import { type Report, reportOn } from "./summary.ts";

/** Width of a picture in the report and on a contact sheet, in pixels. */
const REPORT_WIDTH = 640;
const SHEET_WIDTH = 260;

/** The least: half of the time for files that are a quarter larger. */
const WEBP_EFFORT = 0;

/** A contact sheet is about as wide and as high as this: a browser draws 20 megapixels with half of the memory that it may take. */
const SHEET_WIDTH_MAX = 2_600;
const SHEET_HEIGHT_MAX = 8_000;

/** The head of a contact sheet, in pixels. */
const SHEET_HEAD_PX = 80;

const COLUMNS = Math.floor(SHEET_WIDTH_MAX / SHEET_WIDTH);

/** Room below a picture for its caption, in pixels. */
const CAPTION_PX = 110;

/** What is left around the pictures of a contact sheet, in the colour of its page. */
const SHEET_EDGE_PX = 16;
const SHEET_GROUND = "#f4f2ee";

const PICTURES = "pictures";

type Kept = { shown: Shown; small?: Buffer };

function nameOf({ template, variant, content }: Verdict): string {
  return [template, variant, content].join("-").replaceAll(/[^a-zA-Z0-9-]+/g, "-");
}

/** The sizes of a picture in the report and on a contact sheet. It is decoded once, and the smaller one is made of the larger. */
async function shrink(png: Buffer): Promise<{ shown: Buffer; small: Buffer }> {
  const resized = sharp(png).resize({ width: REPORT_WIDTH }).raw();
  const { data, info: raw } = await resized.toBuffer({ resolveWithObject: true });
  const pixels = sharp(data, { raw });
  const shown = await pixels.clone().webp({ effort: WEBP_EFFORT }).toBuffer();
  const small = await pixels.resize({ width: SHEET_WIDTH }).webp({ effort: WEBP_EFFORT }).toBuffer();
  return { shown, small };
}

/** The files of a proof: JSON, a page with the pictures, and a contact sheet for each template. */
export class ProofFolder {
  readonly #dir: string;
  readonly #kept: Kept[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Writes a picture: as it is where it has faults, and smaller where it has none. */
  async add({ verdict, png }: Judged): Promise<void> {
    if (!png) {
      this.#kept.push({ shown: { verdict, width: 1, height: 1 } });
      return;
    }
    const { width = 1, height = 1 } = await sharp(png).metadata();
    const isFaulty = verdict.faults.length > 0;
    const source = `${PICTURES}/${nameOf(verdict)}.${isFaulty ? "png" : "webp"}`;
    const { shown, small } = await shrink(png);
    const file = isFaulty ? png : shown;
    await mkdir(join(this.#dir, PICTURES), { recursive: true });
    await writeFile(join(this.#dir, source), file);
    this.#kept.push({ shown: { verdict, source, width, height }, small });
  }

  /** Writes the report once every picture was added. @returns the report */
  async finish(verdicts: Verdict[]): Promise<Report> {
    const report = reportOn(verdicts);
    const order = new Map(verdicts.map((verdict, index) => [verdict, index]));
    const kept = this.#kept.toSorted((a, b) => (order.get(a.shown.verdict) ?? 0) - (order.get(b.shown.verdict) ?? 0));
    await mkdir(this.#dir, { recursive: true });
    await writeFile(join(this.#dir, "proof.json"), `${JSON.stringify(report, null, 2)}\n`);
    await writeFile(
      join(this.#dir, "index.html"),
      reportPage(
        report,
        kept.map(({ shown }) => shown),
      ),
    );
    for (const [template, own] of Map.groupBy(kept, ({ shown }) => shown.verdict.template))
      for (const [index, part] of inSheets(own).entries()) {
        const name = template.replaceAll("/", "-") + (index === 0 ? "" : `-${index + 1}`);
        await writeFile(join(this.#dir, `${name}.png`), await drawSheet(template, part));
      }
    return report;
  }
}

/** The height of a row of a contact sheet. */
function rowHeight(kept: Kept[]): number {
  const heights = kept.map(({ shown: { width, height }, small }) => (small ? (SHEET_WIDTH * height) / width : 0));
  return Math.ceil(Math.max(...heights)) + CAPTION_PX;
}

/** The pictures of each contact sheet. */
function inSheets(kept: Kept[]): Kept[][] {
  const size = COLUMNS * Math.max(1, Math.floor((SHEET_HEIGHT_MAX - SHEET_HEAD_PX) / rowHeight(kept)));
  return Array.from({ length: Math.ceil(kept.length / size) }, (_, index) =>
    kept.slice(index * size, (index + 1) * size),
  );
}

async function drawSheet(template: string, kept: Kept[]): Promise<Buffer> {
  const shown = kept.map(({ shown: { verdict, width, height }, small }): Shown => {
    const source = small && `data:image/webp;base64,${small.toString("base64")}`;
    return { verdict, width, height, ...(source && { source }) };
  });
  const height = SHEET_HEAD_PX + Math.ceil(shown.length / COLUMNS) * rowHeight(kept);
  const html = sheetPage(template, shown, COLUMNS);
  const { png } = await renderPicture({ html, width: SHEET_WIDTH_MAX, height, effort: "fast" });
  // Captions have at most that room, and mostly need less.
  const edge = { top: SHEET_EDGE_PX, bottom: SHEET_EDGE_PX, left: SHEET_EDGE_PX, right: SHEET_EDGE_PX };
  return await sharp(png)
    .trim()
    .extend({ ...edge, background: SHEET_GROUND })
    .png()
    .toBuffer();
}
