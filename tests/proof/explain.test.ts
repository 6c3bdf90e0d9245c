import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { rendering, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { Explanation } from "#lib/schemas/explanation.ts";
import { send } from "#tests/app/client.ts";
import { errorOf } from "#tests/http/requests.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { prepareTemplates } from "#tests/templates/shipped.ts";

beforeAll(async () => {
  await prepareMachine();
  await prepareTemplates();
  return () => shutDown();
});

const REQUEST = {
  template: "social/quote",
  variant: "poster",
  data: { quote: "Ночь нежна, и день короток", author: "A. B." },
};

async function explain(json: object): Promise<Explanation> {
  const response = await send("POST", "images/explain", { json });
  expect(response.status).toBe(200);
  return Explanation.parse(await response.json());
}

describe("POST /api/service/images/explain", () => {
  it("tells size, lines, faces, contrast and the reason for each text", async () => {
    const { texts, width, height } = await explain(REQUEST);
    expect([width, height]).toEqual([1080, 1080]);
    const quote = texts.find(({ field }) => field === "quote");
    expect(quote?.lines.join(" ").replaceAll(/\s+/g, " ")).toBe(REQUEST.data.quote);
    expect(quote?.fontSize).toBeGreaterThan(20);
    expect(quote?.faces.reduce((sum, { glyphs }) => sum + glyphs, 0)).toBeGreaterThan(10);
    expect(quote?.contrast?.ratio).toBeGreaterThan(quote?.contrast?.wanted ?? 21);
    expect(quote?.why.join(" ")).toMatch(/px/);
    const [ink, author] = [quote?.ink, texts.find(({ field }) => field === "author")?.ink];
    expect(ink && author && ink.bottom < author.top).toBe(true);
  });

  it("tells of the warnings that the picture has", async () => {
    const request = { ...REQUEST, data: { ...REQUEST.data, highlight: "nowhere" } };
    const [explanation, picture] = [await explain(request), await renderTemplate(request)];
    expect(explanation.warnings).toEqual(picture.warnings);
    expect(explanation.warnings.map(({ code }) => code)).toContain("field_ignored");
  });

  it("does not change the pictures that follow", async () => {
    const before = await renderTemplate({ ...REQUEST, data: { quote: "One" } });
    await explain(REQUEST);
    const after = await renderTemplate({ ...REQUEST, data: { quote: "One", highlight: "" } });
    expect(after.png.equals(before.png)).toBe(true);
  });

  it("leaves a browser to others, because it takes long", async () => {
    const render = vi.spyOn(rendering.get(), "render");
    onTestFinished(() => render.mockRestore());
    await explain(REQUEST);
    expect(render.mock.calls.map(([, options]) => options.leavesBrowser)).toEqual([true]);
  });

  it("refuses what a render refuses", async () => {
    const codeOf = async (json: object) => (await errorOf(await send("POST", "images/explain", { json }))).code;
    expect(await codeOf({ template: "no/such" })).toBe("unknown_template");
    expect(await codeOf({ ...REQUEST, variant: "none" })).toBe("unknown_variant");
    expect(await codeOf({ ...REQUEST, data: { quote: 7 } })).toBe("invalid_data");
  });
});

it("npm run render -- --explain prints it beside the picture", () => {
  const args = ["scripts/render.ts", "social/quote", "--data", '{"author":"Ada"}', "--explain", "-o", "/dev/null"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^author\n {2}size {6}[\d.]+ px/m);
  expect(stdout).toMatch(/^ {2}contrast {2}[\d.]+:1, want [\d.]+:1/m);
});
