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

/** A contact sheet is about as wide as this, and no higher than Chromium's largest picture. */
const SHEET_WIDTH_MAX = 2_600;
const SHEET_HEIGHT_MAX = 16_000;

/** Room below a picture for its caption, in pixels. */
const CAPTION_PX = 110;

const PICTURES = "pictures";

type Kept = { shown: Shown; small?: Buffer };

function nameOf({ template, variant, content }: Verdict): string {
  return [template, variant, content].join("-").replaceAll(/[^a-zA-Z0-9-]+/g, "-");
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
    const image = sharp(png);
    const { width = 1, height = 1 } = await image.metadata();
    const isFaulty = verdict.faults.length > 0;
    const source = `${PICTURES}/${nameOf(verdict)}.${isFaulty ? "png" : "webp"}`;
    const file = isFaulty ? png : await image.clone().resize({ width: REPORT_WIDTH }).webp().toBuffer();
    const small = await image.clone().resize({ width: SHEET_WIDTH }).webp().toBuffer();
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
      await writeFile(join(this.#dir, `${template.replaceAll("/", "-")}.png`), await drawSheet(template, own));
    return report;
  }
}

async function drawSheet(template: string, kept: Kept[]): Promise<Buffer> {
  const columns = Math.floor(SHEET_WIDTH_MAX / SHEET_WIDTH);
  const shown = kept.map(({ shown: { verdict, width, height }, small }): Shown => {
    const source = small && `data:image/webp;base64,${small.toString("base64")}`;
    return { verdict, width, height, ...(source && { source }) };
  });
  const highest = Math.max(...shown.map(({ width, height, source }) => (source ? (SHEET_WIDTH * height) / width : 0)));
  const height = 80 + Math.ceil(shown.length / columns) * (Math.ceil(highest) + CAPTION_PX);
  const html = sheetPage(template, shown, columns);
  const { png } = await renderPicture({ html, width: SHEET_WIDTH_MAX, height: Math.min(height, SHEET_HEIGHT_MAX) });
  return png;
}
