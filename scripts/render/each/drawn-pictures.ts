import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { z } from "zod";
import { VERSION } from "#lib/config.ts";
import type { Issue } from "#lib/errors.ts";
import { engineFingerprint } from "#lib/render/engine.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import type { Template } from "#lib/templates/template.ts";

const drawnPicture = z.object({
  /** Relative to the folder of the list. */
  file: z.string(),
  /** Changes with everything that the picture was made of. */
  key: z.string(),
  warnings: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).default([]),
});

/** A picture that a run has drawn. */
export type DrawnPicture = z.infer<typeof drawnPicture>;

/** A hash of everything that can change the picture of a request. Images at an address count by their address. */
export async function keyOfRow(template: Template, { variant, data }: RenderRequest): Promise<string> {
  const engine = await engineFingerprint(requireRenderConfig());
  const parts = [VERSION, engine, template.slug, template.hash, variant ?? template.defaultVariant, data ?? {}];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

function readLine(line: string): DrawnPicture[] {
  try {
    return [drawnPicture.parse(JSON.parse(line))];
  } catch {
    // The last line of a run that was killed may be cut.
    return [];
  }
}

/** The list of drawn pictures, `pictures.jsonl` in their folder. A later run leaves out what is in it. */
export class DrawnPictures {
  readonly #file: string;
  readonly #known: Map<string, DrawnPicture>;

  constructor(file: string) {
    this.#file = file;
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    this.#known = new Map(lines.flatMap(readLine).map((picture) => [picture.file, picture]));
    mkdirSync(dirname(file), { recursive: true });
    if (lines.length > 0 && lines.at(-1) !== "") appendFileSync(file, "\n");
  }

  /** The picture of a file that is there and was drawn from the same. One that lacks an image, because a host failed, does not count. */
  find(path: string, key: string): DrawnPicture | undefined {
    const known = this.#known.get(this.#nameOf(path));
    const isWhole = known?.warnings.every(({ code }) => code !== "image_unavailable");
    return known?.key === key && isWhole && existsSync(path) ? known : undefined;
  }

  /** Notes a picture once its file is complete. */
  add(path: string, { key, warnings }: { key: string; warnings: Issue[] }): void {
    const picture = { file: this.#nameOf(path), key, warnings };
    this.#known.set(picture.file, picture);
    appendFileSync(
      this.#file,
      `${JSON.stringify({ file: picture.file, key, ...(warnings.length > 0 && { warnings }) })}\n`,
    );
  }

  #nameOf(path: string): string {
    return relative(dirname(this.#file), path).replaceAll("\\", "/");
  }
}
