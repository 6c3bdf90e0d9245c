import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { captureLog } from "../captured-log.ts";
import { prepareMachine } from "./rig.ts";

const JOB = { html: "<!doctype html><p>x", width: 100, height: 100 };

let slug: string;

beforeAll(async () => {
  await prepareMachine();
  const { templates } = await getRegistry();
  slug = templates[0]?.slug ?? "";
  await renderTemplate({ template: slug });
});

afterEach(() => vi.unstubAllEnvs());
afterAll(shutDown);

describe("a request is refused", () => {
  test("when the queue is full, before its values are looked at", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    const running = renderPicture(JOB);
    await expect(renderTemplate({ template: slug, data: { nothing: 1 } })).rejects.toMatchObject({
      code: "overloaded",
      headers: { "Retry-After": expect.stringMatching(/^[1-9]\d*$/) },
    });
    await running;
  });

  test("when its values are wrong, and then takes no place from the next one", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    const wrong = renderTemplate({ template: slug, data: { nothing: 1 } });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_data" });
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
  });

  test("when the configuration is bad, before its template is looked for", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "lots");
    await expect(renderTemplate({ template: "no/such" })).rejects.toMatchObject({ code: "misconfigured" });
  });
});

async function plant(html: string): Promise<Disposable> {
  const { templates } = await getRegistry();
  const template = templates.find((candidate) => candidate.slug === slug) ?? expect.fail("no template");
  templates.push({ ...template, slug: "test/planted", html });
  return { [Symbol.dispose]: () => templates.pop() };
}

test("a template that asks for what is never loaded is rendered, and the log names it and a few of the addresses", async () => {
  const lines = captureLog();
  await renderTemplate({ template: slug });
  expect(lines).toEqual([]);
  const asked = (index: number) => `<i style="display:block;background:url(https://images.example/${index}.png)">x</i>`;
  using _planted = await plant(Array.from({ length: 30 }, (_, index) => asked(index)).join(""));
  await expect(renderTemplate({ template: "test/planted" })).resolves.toHaveProperty("png");
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? "");
  expect(line).toMatchObject({ level: "warn", slug: "test/planted", count: 30 });
  expect(line.addresses).toHaveLength(10);
  expect(line.addresses[0]).toContain("https://images.example/");
});
