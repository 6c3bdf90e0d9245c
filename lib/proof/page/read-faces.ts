import type { DrawnPage } from "#lib/render/chromium/page.ts";
import { callMarker } from "./page-reader.ts";
import type { TextUnit } from "./text-unit.ts";

/** The faces that the browser took for a text: the family, and the PostScript name of the file. */
type Face = { family: string; name: string; glyphs: number };

/** A word, and the faces of its glyphs. */
export type DrawnWord = { unit: number; text: string; faces: Face[] };

export type Faces = {
  /** By the id of the unit; see {@link MOST_ASKED}. */
  units: Map<number, Face[]>;
  /** The words with unusual letters, of units that have more than one face; see {@link MOST_ASKED}. */
  words: DrawnWord[];
};

/**
 * The pieces of texts in a page whose faces are asked for, and the words. The browser takes milliseconds for each, the longer the text,
 * and other callers wait for it.
 */
const MOST_ASKED = 250;

type Node = { nodeId: number };

async function facesOf(page: DrawnPage, { nodeId }: Node): Promise<Face[]> {
  const { fonts } = await page.send("CSS.getPlatformFontsForNode", { nodeId });
  return fonts.map(({ familyName, postScriptName, glyphCount }) => ({
    family: familyName,
    name: postScriptName,
    glyphs: glyphCount,
  }));
}

/** Each face once, with all of its glyphs. */
function merged(faces: Face[]): Face[] {
  return [...Map.groupBy(faces, ({ name }) => name).values()].flatMap((same) => {
    const glyphs = same.reduce((sum, face) => sum + face.glyphs, 0);
    return same.slice(0, 1).map((face) => ({ ...face, glyphs }));
  });
}

async function nodesOf(page: DrawnPage, root: Node, selector: string): Promise<Node[]> {
  const { nodeIds } = await page.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector });
  return nodeIds.map((nodeId) => ({ nodeId }));
}

async function read(page: DrawnPage, units: TextUnit[]): Promise<Faces> {
  await page.evaluate(callMarker("markUnits"));
  const { root } = await page.send("DOM.getDocument", { depth: 0 });
  await page.send("CSS.enable");
  const byUnit = new Map<number, Face[]>();
  let asked = 0;
  for (const { id, glyphs } of units) {
    const all = glyphs.length > 0 ? await nodesOf(page, root, `[data-proof-unit="${id}"]`) : [];
    // At least one of each text: a page has as many texts as its template, and pieces as its request.
    const nodes = all.slice(0, Math.max(1, MOST_ASKED - asked));
    asked += nodes.length;
    const faces = await Promise.all(nodes.map((node) => facesOf(page, node)));
    if (nodes.length > 0) byUnit.set(id, merged(faces.flat()));
  }
  const mixed = [...byUnit].filter(([, faces]) => faces.length > 1).map(([id]) => id);
  if (mixed.length === 0) return { units: byUnit, words: [] };
  const marked = (await page.evaluate(callMarker("markWords", mixed, MOST_ASKED))) as Omit<DrawnWord, "faces">[];
  const nodes = await nodesOf(page, root, "[data-proof-word]");
  const words = await Promise.all(
    marked.map(async (word, index) => {
      const node = nodes[index];
      return { ...word, faces: node ? await facesOf(page, node) : [] };
    }),
  );
  return { units: byUnit, words };
}

/** Asks the browser for the faces of every text. It changes the page, so it comes after the last picture. */
export async function readFaces(page: DrawnPage, units: TextUnit[]): Promise<Faces> {
  try {
    return await read(page, units);
  } finally {
    await page.send("CSS.disable");
    await page.send("DOM.disable");
  }
}
