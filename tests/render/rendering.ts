import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { shutDown, warmUp } from "#lib/render/render.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { ownDataDir, prepareMachine, removeDir } from "./rig.ts";

/**
 * Starts a browser for the tests of a file, with its own data folder and these variables.
 * @returns the folder, and the shipped templates
 */
export function useRendering(env: Record<string, string> = {}) {
  let dataDir: string;
  let templates: Template[];
  beforeAll(async () => {
    await prepareMachine();
    ({ templates } = await getRegistry());
    dataDir = await ownDataDir();
  });
  beforeEach(async () => {
    for (const [name, value] of Object.entries({ SERVICE_DATA_DIR: dataDir, ...env })) vi.stubEnv(name, value);
    await warmUp();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    await shutDown();
    removeDir(dataDir);
  });
  return { dataDir: () => dataDir, templates: () => templates };
}
