import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, vi } from "vitest";
import { displayPictures } from "#lib/render/display-pictures.ts";
import { rendering } from "#lib/render/render.ts";
import { useRendering } from "../../render/rendering.ts";
import { send } from "../client.ts";

/** Starts a browser for the tests of a file. Each test begins without thumbnails. @returns their folder and files, and the shipped templates */
export function useThumbnails() {
  const { dataDir, templates } = useRendering();
  const folder = () => join(dataDir(), "page-pictures");
  /** Without files that are still being written, whose names contain a dot. */
  const files = () =>
    (existsSync(folder()) ? readdirSync(folder()) : [])
      .filter((name) => !name.includes("."))
      .map((name) => join(folder(), name));
  beforeEach(() => {
    rmSync(folder(), { recursive: true, force: true });
    forget();
  });
  return { folder, files, templates };
}

/** Empties the memory, like a restart. */
export function forget(): void {
  displayPictures.reset();
}

/** Counts the renders from now on. */
export function countRenders(): { count: () => number } {
  const render = vi.spyOn(rendering.get(), "render");
  return { count: () => render.mock.calls.length };
}

/** Requests a thumbnail. @param path the slug, with a query if wanted */
export async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await send("GET", `thumbnails/${path}`, { headers });
}

/** The picture of a 200. */
export async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}
