import { expect, test } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import type { Template } from "#lib/templates/template.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "../template-folder.ts";

const sideWith = (picture: string) => ({
  type: "select",
  label: "Side",
  options: ["left", "right"],
  default: "left",
  labels: { left: "Left", right: { en: "Right", de: "Rechts" } },
  pictures: { left: "assets/left.svg", right: picture },
});

function files(picture: string): Record<string, string> {
  const side = sideWith(picture);
  return {
    "template.json": manifestWith({ title: TITLE, side }),
    "template.html":
      '<h1 class="{{ side }}">{{ title }}</h1><p>{{ side.label }}</p><img src="{{ side.picture }}" alt="">',
    "assets/left.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="2" height="4"/></svg>',
  };
}

test("the pictures of options are part of the declaration that the studio gets", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", files("assets/left.svg"));
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  expect(templates[0]?.fields.side).toMatchObject({
    pictures: { left: expect.stringMatching(/^data:image\/svg/), right: expect.stringMatching(/^data:image\/svg/) },
  });
});

test("the picture of the option is drawn", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", files("assets/left.svg"));
  const [template] = (await compileRegistry(root)).templates;
  const { html } = composeDocument(template as Template, { title: "Hello", side: "right" });
  expect(html).toContain('<img src="data:image/svg+xml;base64,');
});

test("the picture of the option of an item is drawn, and one that is not there is a fault", async () => {
  const compileWith = async (picture: string) => {
    const root = templatesRoot();
    const rows = { type: "list", label: "Rows", max: 3, item: { side: sideWith(picture) } };
    writeTemplate(root, "card", {
      ...files("assets/left.svg"),
      "template.json": manifestWith({ title: TITLE, rows }),
      "content.json": JSON.stringify({ plain: { title: "Hello", rows: [{ side: "right" }] } }),
      "template.html": '<h1>{{ title }}</h1>{% for row in rows %}<img src="{{ row.side.picture }}" alt="">{% endfor %}',
    });
    return await compileRegistry(root);
  };
  const [template] = (await compileWith("assets/left.svg")).templates;
  const { html } = composeDocument(template as Template, template?.variants.plain?.values ?? {});
  expect(html).toContain('<img src="data:image/svg+xml;base64,');
  const { faults } = await compileWith("assets/right.svg");
  expect(faults.map(describeFault)).toEqual([
    expect.stringContaining('Got the picture "assets/right.svg", want a file'),
  ]);
});

test("a select without pictures is no address", async () => {
  const root = templatesRoot();
  const side = { type: "select", label: "Side", options: ["left", "right"] };
  writeTemplate(root, "card", {
    "template.json": manifestWith({ title: TITLE, side }),
    "template.html": '<h1>{{ title }}</h1><img src="{{ side.picture }}" alt="">',
  });
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault).join("\n")).toContain('Got src="{{ side.picture }}", want an image field');
});

test("a picture that is not there is a fault with its line", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", files("assets/right.svg"));
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault).join("\n")).toMatch(
    /template\.json:\d+ Got the picture "assets\/right\.svg", want a file of the assets folder\./,
  );
});
