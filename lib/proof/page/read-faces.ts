import type { DrawnPage } from "#lib/render/render-job.ts";
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

async function facesOfAll(page: DrawnPage, nodes: Node[]): Promise<Face[][]> {
  return await Promise.all(nodes.map((node) => facesOf(page, node)));
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
  const pieces = (await page.evaluate(callMarker("markUnits", MOST_ASKED))) as number[];
  const { root } = await page.send("DOM.getDocument", { depth: 0 });
  await page.send("CSS.enable");
  const asked = await facesOfAll(page, await nodesOf(page, root, "[data-proof-unit]"));
  const byUnit = new Map<number, Face[]>();
  for (const { id } of units) {
    const faces = asked.filter((_, piece) => pieces[piece] === id);
    if (faces.length > 0) byUnit.set(id, merged(faces.flat()));
  }
  const mixed = [...byUnit].filter(([, faces]) => faces.length > 1).map(([id]) => id);
  if (mixed.length === 0) return { units: byUnit, words: [] };
  const marked = (await page.evaluate(callMarker("markWords", mixed, MOST_ASKED))) as Omit<DrawnWord, "faces">[];
  const faces = await facesOfAll(page, await nodesOf(page, root, "[data-proof-word]"));
  const words = marked.map((word, index) => ({ ...word, faces: faces[index] ?? [] }));
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
