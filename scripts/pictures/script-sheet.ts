import sharp from "sharp";
import { SCRIPTS, type Script } from "#lib/fonts/scripts.ts";
import { renderTemplate } from "#lib/render/render-template.ts";

const COLUMNS = 10;
const TILE_PX = 240;
const GAP_PX = 12;

async function drawTile({ sample, name }: Script): Promise<Buffer> {
  const data = { quote: sample, highlight: "", author: name, role: "", source: "", portrait: null };
  const { png } = await renderTemplate({ template: "social/quote", variant: "book", data });
  return await sharp(png).resize({ width: TILE_PX, height: TILE_PX }).png().toBuffer();
}

/** One template with a few words in every script that the bundled fonts support. */
export async function drawScriptSheet(): Promise<Buffer> {
  const step = TILE_PX + GAP_PX;
  const tiles = [];
  for (const [index, script] of SCRIPTS.entries()) {
    const [left, top] = [(index % COLUMNS) * step, Math.floor(index / COLUMNS) * step];
    tiles.push({ input: await drawTile(script), left, top });
  }
  const rows = Math.ceil(SCRIPTS.length / COLUMNS);
  const create = {
    width: COLUMNS * step - GAP_PX,
    height: rows * step - GAP_PX,
    channels: 4 as const,
    background: "#0000",
  };
  return await sharp({ create }).composite(tiles).png({ palette: true, effort: 10 }).toBuffer();
}
