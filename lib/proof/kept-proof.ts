import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { VERSION } from "#lib/config.ts";
import { makePrivateFolder } from "#lib/private-folder.ts";
import { engineFingerprint } from "#lib/render/engine.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import type { Template } from "#lib/templates/template.ts";
import { type Verdict, verdict } from "./judge.ts";

/** A finished proof in a file of the data folder. */
const keptFile = z.object({
  /** Changes with everything that the pictures were made of. */
  key: z.string(),
  finishedAt: z.iso.datetime(),
  pictures: z.number(),
  faulty: z.array(verdict),
});

export type KeptProof = z.infer<typeof keptFile>;

function fileOf({ slug }: Template): string {
  const name = createHash("sha256").update(slug).digest("base64url");
  return join(/* turbopackIgnore: true */ requireRenderConfig().dataDir, "proofs", `${name}.json`);
}

/** Identifies the template, the browser, the fonts and the version of the service. */
export async function proofKey({ slug, hash }: Template): Promise<string> {
  const parts = [VERSION, await engineFingerprint(requireRenderConfig()), slug, hash];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** The kept result; undefined where there is none, or none that this version can read. */
export async function readKeptProof(template: Template): Promise<KeptProof | undefined> {
  const text = await readFile(fileOf(template), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return keptFile.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Makes the folder of the results, before a proof is drawn that could not be kept. @throws a file system Error with a `code` */
export async function prepareKeeping(template: Template): Promise<void> {
  await makePrivateFolder(dirname(fileOf(template)));
}

/** Replaces the kept result. @throws a file system Error with a `code` */
export async function keepProof(template: Template, verdicts: Verdict[]): Promise<void> {
  const faulty = verdicts.filter(({ faults }) => faults.length > 0);
  const kept: KeptProof = {
    key: await proofKey(template),
    finishedAt: new Date().toISOString(),
    pictures: verdicts.length,
    faulty,
  };
  const path = fileOf(template);
  const staging = `${path}.${randomUUID()}`;
  await prepareKeeping(template);
  try {
    await writeFile(staging, JSON.stringify(kept), { mode: 0o600 });
    await rename(staging, path);
  } catch (error) {
    await rm(staging, { force: true });
    throw error;
  }
}
