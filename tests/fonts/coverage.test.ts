import { readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { currentFonts } from "#lib/fonts/font-set.ts";
import { EMOJI_RULE, fontStack } from "#lib/fonts/generic-families.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";

afterAll(() => shutDown());

const CELL_PX = 40;

/** Characters in a row, one a cell, in one family list. */
async function drawCells(characters: string[], { weight = 400, lang = "" } = {}): Promise<Buffer[]> {
  const cells = characters.map((character) => `<i>${character}</i>`).join("");
  const style = `i{display:inline-block;width:${CELL_PX}px;height:${CELL_PX}px;overflow:hidden;font-style:normal;font-synthesis:none;text-align:center}`;
  const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><style>${EMOJI_RULE}body{margin:0;font-size:0}${style}i{font:${weight} 24px/${CELL_PX}px ${fontStack("sans-serif")}}</style>${cells}`;
  const width = characters.length * CELL_PX;
  const { png } = await renderPicture({ html, width, height: CELL_PX });
  const cut = (_: string, index: number) =>
    sharp(png)
      .extract({ left: index * CELL_PX, top: 0, width: CELL_PX, height: CELL_PX })
      .raw()
      .toBuffer();
  return Promise.all(characters.map(cut));
}

/** A character that Unicode will never assign, to compare with a missing glyph. */
const NO_CHARACTER = "\u{10fffd}";

const SAMPLES: [script: string, characters: string][] = [
  ["Latin", "AgßŁşệ"],
  ["Greek", "Αλφάώ"],
  ["Cyrillic", "ЖщёҐЂ"],
  ["Arabic", "عغقپڤ"],
  ["Hebrew", "אשלםץ"],
  ["Devanagari", "कखगज्ञ"],
  ["Thai", "กขคงญ"],
  ["Japanese", "あアん漢字"],
  ["Korean", "한국어뷁힣"],
  ["Simplified Chinese", "汉语简体龙"],
  ["Traditional Chinese", "臺灣繁體龍"],
  ["Bengali", "কখগঘঙ"],
  ["Tamil", "கஙசஞட"],
  ["Telugu", "కఖగఘఙ"],
  ["Kannada", "ಕಖಗಘಙ"],
  ["Malayalam", "കഖഗഘങ"],
  ["Gujarati", "કખગઘઙ"],
  ["Gurmukhi", "ਕਖਗਘਙ"],
  ["Sinhala", "කඛගඝඞ"],
  ["Myanmar", "ကခဂဃင"],
  ["Khmer", "កខគឃង"],
  ["Lao", "ກຂຄງຈ"],
  ["Georgian", "აბგდე"],
  ["Armenian", "ԱԲԳԴԵ"],
  ["Ethiopic", "ሀለሐመሠ"],
  ["symbols", "→★♥∑√"],
  ["emoji", "😀🫠❤️👍🏽🇫🇷🏳️‍🌈👩‍👩‍👧‍👦"],
];

const segments = (text: string) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

test.each(SAMPLES)("every character of %s has a glyph of its own", async (_, text) => {
  const characters = segments(text);
  const [missing, blank, ...cells] = await drawCells([NO_CHARACTER, " ", ...characters]);
  const pictures = cells.map((cell) => cell.toString("base64"));
  expect(pictures).not.toContain(missing?.toString("base64"));
  expect(pictures).not.toContain(blank?.toString("base64"));
  expect(new Set(pictures).size).toBe(characters.length);
});

test.each(["Ж", "ع", "ש", "क", "ก", "あ", "한", "龙"])(
  "%s has a real bold, not an emboldened regular",
  async (character) => {
    const ink = (cell: Buffer | undefined) => cell?.reduce((sum, value) => sum + 255 - value, 0) ?? 0;
    const [regular] = await drawCells([character]);
    const [bold] = await drawCells([character], { weight: 700 });
    expect(ink(bold)).toBeGreaterThan(ink(regular) * 1.1);
  },
);

function browserProcesses(): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`FONTCONFIG_FILE=${PROJECT_DIR}`);
    } catch {
      return false;
    }
  });
}

test("no font of the machine is opened", async () => {
  await drawCells(segments(SAMPLES.map(([, text]) => text).join("")).slice(0, 90));
  const maps = browserProcesses().map((pid) => readFileSync(`/proc/${pid}/maps`, "utf8"));
  const fonts = new Set(maps.join("\n").match(/\/\S+\.(?:ttf|otf|ttc|pfb|woff2?|pcf(?:\.gz)?)$/gm));
  expect(fonts.size).toBeGreaterThan(5);
  const { folder } = currentFonts();
  expect([...fonts].filter((font) => !font.startsWith(folder))).toEqual([]);
});
