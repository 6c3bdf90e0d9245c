import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import sharp from "sharp";
import { afterAll, expect, test, vi } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { shutDown } from "#lib/render/render.ts";
import { examineTemplate } from "#lib/render/render-template.ts";
import type { PageMeasurements } from "#lib/templates/compose.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { isUnclear } from "#lib/type/contrast/known-contrast.ts";

/**
 * The same browser and fonts give the same bytes on the same kind of processor. Another kind may round a gradient differently.
 * A pixel counts as different beyond 2 % of the largest colour distance, and 1 in 20,000 pixels may differ.
 */
const COLOR_TOLERANCE = 0.02;
const PIXEL_TOLERANCE = 1 / 20_000;

const FOLDER = import.meta.dirname;
const DIFFERENCES = join(PROJECT_DIR, "test-results/golden");
/** Set by `npm run golden`, which replaces the pictures. */
const isUpdate = process.env.UPDATE_GOLDEN === "1";

// The pictures are compressed as those of a service are, so that most have the same bytes.
vi.stubEnv("SERVICE_RENDER_PNG", "balanced");

const { templates, faults } = await getRegistry();

type Picture = {
  name: string;
  template: string;
  variant?: string;
  data?: Record<string, unknown>;
  /** Whether it shows something else than a variant as shipped. */
  isEdited: boolean;
};

/** Contents that are hard to set: scripts with tall marks, long words, translucent colours, texts that press each other. */
const edits: Omit<Picture, "isEdited">[] = JSON.parse(readFileSync(join(FOLDER, "edits.json"), "utf8"));

const pictures: Picture[] = [
  ...templates.flatMap(({ slug, variants }) =>
    Object.keys(variants).map((variant) => ({
      name: `${slug.replaceAll("/", "-")}-${variant}`,
      template: slug,
      variant,
      isEdited: false,
    })),
  ),
  ...edits.map((edit) => ({ ...edit, name: `edits/${edit.name}`, isEdited: true })),
];

/**
 * The texts of shipped variants that cost a second picture: those that are cut out of a picture, marked in another ink, or near a
 * masked drawing.
 */
const UNCLEAR: Record<string, string[]> = {
  "review-card-seerose": ["review"],
  "review-card-soba": ["review"],
  "social-carousel-selvedge": ["body"],
  "social-quote-verse": ["quote"],
  "social-story-swim": ["figure"],
  "social-story-craft": ["figure"],
  "social-story-fireworks": ["figure"],
  "social-video-knots": ["title"],
};

rmSync(DIFFERENCES, { recursive: true, force: true });
afterAll(() => shutDown());

async function decode(source: string | Buffer) {
  const { data, info } = await sharp(source).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

test("every shipped template is served and has at least two variants", () => {
  expect(faults).toEqual([]);
  expect(templates.map(({ slug }) => slug)).toEqual(
    expect.arrayContaining(["event/ticket", "event/badge", "dev/code", "data/line"]),
  );
  expect(pictures.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(UNCLEAR)));
  for (const { slug, variants } of templates) expect(Object.keys(variants).length, slug).toBeGreaterThanOrEqual(2);
});

test.each(pictures)("$name looks unchanged", async ({ name: stem, isEdited, ...request }) => {
  const name = `${stem}.png`;
  const golden = join(FOLDER, name);
  const { png, warnings, measured } = await examineTemplate(request, {});
  if (!isEdited) {
    expect(warnings, "a variant as shipped").toEqual([]);
    const unclear = (measured as PageMeasurements).contrast.filter(isUnclear).map(({ field }) => field);
    expect([...new Set(unclear)], "fields that cost a second picture").toEqual(UNCLEAR[stem] ?? []);
  }
  if (isUpdate) writeFileSync(golden, png);
  expect(existsSync(golden), `${name} is missing; look at the picture, then run "npm run golden"`).toBe(true);
  if (png.equals(readFileSync(golden))) return;

  const [got, wanted] = [await decode(png), await decode(golden)];
  expect([got.width, got.height]).toEqual([wanted.width, wanted.height]);
  const { width, height } = got;
  const difference = Buffer.alloc(width * height * 4);
  const options = { threshold: COLOR_TOLERANCE, includeAA: true };
  const count = pixelmatch(got.pixels, wanted.pixels, difference, width, height, options);
  if (count > 0) {
    mkdirSync(join(DIFFERENCES, "edits"), { recursive: true });
    writeFileSync(
      join(DIFFERENCES, name),
      await sharp(difference, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer(),
    );
  }
  expect(count / (width * height), `see ${join(DIFFERENCES, name)}`).toBeLessThanOrEqual(PIXEL_TOLERANCE);
});
