import { describe, expect, test } from "vitest";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { manifestWith, templatesRoot, writeTemplate } from "./template-folder.ts";

const color = (rest: object = {}) => ({ type: "color", label: "Colour", ...rest });

async function compileCard(fields: Record<string, unknown>, content: Record<string, unknown> = {}) {
  const root = templatesRoot();
  const outputs = Object.keys(fields).map((name) => `--${name}: {{ ${name} }}`);
  writeTemplate(root, "card", {
    "template.json": manifestWith(fields),
    "content.json": JSON.stringify({ plain: content }),
    "template.html": `<p style="${outputs.join("; ")}">x</p>`,
  });
  const { templates, faults } = await compileRegistry(root);
  const [template] = templates;
  return { faults, template };
}

describe("a translucent colour", () => {
  test("reaches the template as the colour that is seen, on every ground below it", async () => {
    const { template } = await compileCard({
      label: color({ over: "band" }),
      band: color({ over: "paper" }),
      paper: color({ over: "#fff" }),
    });
    if (!template) throw new Error("Got no template.");
    const values = { label: "#ffffff80", band: "#00000080", paper: "#ff000080" };
    const { html } = composeDocument(template, values);
    expect(html).toContain('style="--label: #bf9f9f; --band: #7f3f3f; --paper: #ff7f7f"');
  });

  test("is composed again when only its ground is edited", async () => {
    const { template } = await compileCard({ band: color({ over: "paper" }), paper: color() }, { band: "#0000" });
    if (!template) throw new Error("Got no template.");
    const { html } = composeDocument(template, { ...template.variants.plain?.values, paper: "#123456" });
    expect(html).toContain("--band: #123456; --paper: #123456");
  });

  test("stays as it is in a field without a ground, and lies on white where the ground is empty", async () => {
    const { template } = await compileCard({ band: color({ over: "paper" }), paper: color(), free: color() });
    if (!template) throw new Error("Got no template.");
    const { html } = composeDocument(template, { band: "#06507f20", paper: null, free: "#06507f20" });
    expect(html).toContain("--band: #e0e9ef; --paper: ; --free: #06507f20");
  });
});

describe("the ground of a colour field", () => {
  test.each([
    ["papper", 'fields.band.over: Got "papper", want a hex colour or the name of another color field.'],
    ["title", 'fields.band.over: Got "title", want a hex colour or the name of another color field.'],
    ["#12345", 'fields.band.over: Got "#12345", want a hex colour or the name of another color field.'],
    ["band", 'fields.band.over: Got "band", which leads back to "band". Want a colour that does not.'],
    ["paper", 'fields.band.over: Got "paper", which leads back to "band". Want a colour that does not.'],
  ])("cannot be %s", async (over, reason) => {
    const { faults } = await compileCard({
      band: color({ over }),
      paper: color({ over: "band" }),
      title: { type: "text", label: "Title" },
    });
    expect(faults.map((fault) => fault.reason)).toContain(reason);
  });
});
