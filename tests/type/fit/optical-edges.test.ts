import { afterAll, describe, expect, test } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { CSS, fitTitle } from "./trial.ts";

afterAll(() => shutDown());

describe("a text with optical edges", () => {
  const edges = (margin: string) => CSS.replace("{", `{ --optical-edges: on; margin-left: ${margin};`);

  test("moves a large letter by the white beside it", async () => {
    const [plain, moved] = [await fitTitle({ title: "House" }), await fitTitle({ title: "House", css: edges("0") })];
    expect(plain.html).toBe("House");
    expect(moved.html).toMatch(/^<span style="margin-inline-start: -0\.0\d+em;[^>]*><\/span>House$/);
  });

  test("lets quotes hang out at the start of every line", async () => {
    const title = "“One two three four” “five six seven”";
    const { html, ink, box } = await fitTitle({ title, css: edges("100px") });
    expect(html).toMatch(/^<span [^>]*><\/span>“One.*<br><span [^>]*><\/span>“five/);
    expect(ink.left).toBeLessThan(box.left - 10);
  });

  test("keeps quotes on the canvas", async () => {
    const { ink } = await fitTitle({ title: "“House”", css: edges("10px") });
    expect(ink.left).toBeGreaterThanOrEqual(0);
  });

  test("moves a Japanese bracket by its white, and lets it stay in the box", async () => {
    const { html, ink, box } = await fitTitle({ title: "「花火」", css: edges("100px") });
    expect(html).toMatch(/^<span style="margin-inline-start: -0\.[4-6]/);
    expect(ink.left).toBeCloseTo(box.left, 0);
  });

  test("is centred by its words where it ends in a full stop", async () => {
    const css = edges("0").replace("{", "{ text-align: center;");
    expect((await fitTitle({ title: "House.", css })).html).toMatch(/House\.<span style="margin-inline-end: -0\.[23]/);
  });
});
