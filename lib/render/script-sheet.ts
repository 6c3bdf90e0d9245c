import { createHash } from "node:crypto";
import { VERSION } from "#lib/config.ts";
import { EMOJI_RULE, fontStack } from "#lib/fonts/generic-families.ts";
import { SAMPLES, type Sample } from "#lib/fonts/scripts.ts";
import { displayPictures } from "./display-pictures.ts";
import { engineFingerprint } from "./engine.ts";
import { renderPicture } from "./render.ts";
import { requireRenderConfig } from "./render-config.ts";
import type { RenderJob } from "./render-job.ts";
import type { Thumbnail } from "./thumbnail.ts";

const COLUMNS = 4;
const CELL = { width: 400, height: 150 };

/** The page's colours `surface`, `ink` and `soft` from `app/theme.css`. */
const COLORS = {
  light: { ground: "#fffdf9", type: "#1b1916", name: "#5b554b" },
  dark: { ground: "#1e1b18", type: "#f2ede4", name: "#b8afa2" },
};

export type Theme = keyof typeof COLORS;

function cellOf({ name, language, sample }: Sample): string {
  return `<section><h2>${name}</h2><p lang="${language}">${sample}</p></section>`;
}

function sheet(theme: Theme): RenderJob {
  const { ground, type, name } = COLORS[theme];
  const style = [
    "*{margin:0;box-sizing:border-box}",
    EMOJI_RULE,
    `body{background:${ground};color:${type};display:grid;grid-template-columns:repeat(${COLUMNS},${CELL.width}px);grid-auto-rows:${CELL.height}px;font-family:${fontStack("sans-serif")}}`,
    "section{padding:20px 24px;overflow:hidden}",
    `h2{font-size:20px;font-weight:500;line-height:1.4;color:${name}}`,
    "p{font-size:38px;line-height:1.8;white-space:nowrap}",
  ].join("");
  return {
    html: `<!doctype html><meta charset="utf-8"><style>${style}</style><body>${SAMPLES.map(cellOf).join("")}`,
    width: COLUMNS * CELL.width,
    height: Math.ceil(SAMPLES.length / COLUMNS) * CELL.height,
  };
}

/**
 * A picture with a few words in every script, as the browser renders them with the built fonts. It is rendered on demand and
 * kept like a thumbnail.
 */
export async function scriptSheet(theme: Theme): Promise<Thumbnail> {
  const job = sheet(theme);
  const parts = [VERSION, await engineFingerprint(requireRenderConfig()), job];
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
  const render = async (options: { signal: AbortSignal; caller: string }) => (await renderPicture(job, options)).png;
  return { etag: `"${key}"`, picture: (asked) => displayPictures.get().get({ ...asked, key, render }) };
}
