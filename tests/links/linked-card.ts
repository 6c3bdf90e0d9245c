import { afterEach, beforeEach, expect, vi } from "vitest";
import { send } from "../app/client.ts";
import { errorOf } from "../http/requests.ts";
import { useRendering } from "../render/rendering.ts";
import { templatesRoot, writeTemplate } from "../templates/template-folder.ts";
import { LINK_KEYS } from "./links.ts";

/** The clock of the tests that use links, in milliseconds. */
export const NOW = Date.parse("2026-11-23T12:00:00.400Z");

export const CARD = { template: "small/card", data: { title: "Linked" } };

/** Serves a template with two variants, with links switched on, at {@link NOW}. */
export function useLinks(): void {
  useRendering();
  beforeEach(() => {
    vi.stubEnv("SERVICE_LINK_KEYS", LINK_KEYS);
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
    const root = templatesRoot();
    const content = JSON.stringify({ plain: { title: "Hello" }, spare: { title: "Spare" } });
    writeTemplate(root, "small/card", { "content.json": content });
    vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
    vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  });
  afterEach(() => void vi.useRealTimers());
}

export const get = (path: string, headers: Record<string, string> = {}) => send("GET", path, { headers });

export const base64url = (text: string) => Buffer.from(text).toString("base64url");

export async function expectNotFound(response: Response): Promise<void> {
  expect(await errorOf(response)).toMatchObject({ code: "not_found", message: "There is nothing at this path." });
}
