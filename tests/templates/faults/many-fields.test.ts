import { expect, test } from "vitest";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "../template-folder.ts";

const FIELDS = 60;

/** How often other work gets a turn while a template is read. */
async function turnsWhileReading(outputOf: (name: string) => string): Promise<{ turns: number; faults: number }> {
  const names = Array.from({ length: FIELDS }, (_, index) => `field${index}`);
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({
      title: TITLE,
      ...Object.fromEntries(names.map((name) => [name, { type: "text", label: "Text" }])),
    }),
    "template.html": `<h1>{{ title }}</h1>\n${names.map(outputOf).join("\n")}`,
  });
  let [turns, isRead] = [0, false];
  const count = () => {
    turns++;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const { faults } = await compileRegistry(root);
  isRead = true;
  return { turns, faults: faults.length };
}

// The time grows with the square of their number: with 800 of them, nothing else was answered for 40 seconds.
test("while a template with many fields is checked, other work has turns, one for each field that may be empty", async () => {
  const { turns, faults } = await turnsWhileReading((name) => `<p>{{ ${name} }}</p>`);
  expect(faults).toBe(0);
  expect(turns).toBeGreaterThan(FIELDS);
});

test("also while it is found out which of them can leave their places", async () => {
  const { turns, faults } = await turnsWhileReading(
    (name) => `<p>{% if ${name} contains "<" %}<b>x</b>{% endif %}</p>`,
  );
  expect(faults).toBe(FIELDS);
  expect(turns).toBeGreaterThan(FIELDS);
});
