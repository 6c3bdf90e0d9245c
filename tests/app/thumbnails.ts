import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, vi } from "vitest";
import { displayPictures } from "#lib/render/display-pictures.ts";
import { shared } from "#lib/render/shared.ts";
import { useRendering } from "../render/rendering.ts";
import { send } from "./client.ts";

/** Readies a browser for the tests of a file, each of which finds no thumbnail made. @returns where they are kept, and the shipped templates */
export function useThumbnails() {
  const { dataDir, templates } = useRendering();
  const folder = () => join(dataDir(), "page-pictures");
  /** Whole ones: what is still being written has a longer name. */
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

/** What is in memory is gone, as after a restart. */
export function forget(): void {
  displayPictures.reset();
}

/** Counts what the browser draws from here on. */
export function countRenders(): { count: () => number } {
  const render = vi.spyOn(shared.get().pool ?? expect.fail("no pool"), "render");
  return { count: () => render.mock.calls.length };
}

/** Asks for a thumbnail as a page does: the path is its slug, with a query where there is one. */
export async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await send("GET", `thumbnails/${path}`, { headers });
}

/** The picture of an answer that has one. */
export async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}
