import { beforeAll, describe, expect, it } from "vitest";
import { type Cell, reducedGrid, wholeGrid } from "#lib/proof/grid/grid.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { prepareTemplates } from "#tests/templates/shipped.ts";

let templates: Template[];

beforeAll(async () => {
  await prepareTemplates();
  ({ templates } = await getRegistry());
});

const contentsOf = (cells: { content: string }[]) => [...new Set(cells.map(({ content }) => content))];

describe("the grid of the shipped templates", () => {
  it("has only values that their fields accept", async () => {
    for (const template of templates) {
      for (const { variant, content, data } of await wholeGrid(template)) {
        const base = template.variants[variant]?.values;
        const read = await readFields({
          declarations: template.fields,
          values: data,
          ...(base && { base }),
          path: "/data",
        });
        expect([template.slug, variant, content, read.issues]).toEqual([template.slug, variant, content, []]);
      }
    }
  });

  it("has texts of exactly the declared lengths, and words of 80 characters where these fit", async () => {
    for (const template of templates) {
      const cells = await wholeGrid(template);
      const dataOf = (content: string) => cells.find((cell) => cell.content === content)?.data ?? {};
      for (const [name, field] of Object.entries(template.fields)) {
        if (field.type !== "text" || /highlight/.test(name)) continue;
        expect(String(dataOf("longest")[name])).toHaveLength(field.maxLength);
        expect(String(dataOf("long-word")[name])).toMatch(new RegExp(`^\\S{${Math.min(80, field.maxLength)}}$`));
      }
    }
  });

  it("empties each optional text and list once, and all of them together", async () => {
    for (const template of templates) {
      const contents = contentsOf(await wholeGrid(template));
      const optional = Object.keys(template.fields).filter((name) => {
        const { type, required } = template.fields[name] ?? { type: "", required: true };
        return ["text", "list"].includes(type) && !required;
      });
      expect(contents).toEqual(expect.arrayContaining(["empty:all", ...optional.map((name) => `empty:${name}`)]));
    }
  });

  it("fills each list with its longest texts, and leaves one item with the shortest", async () => {
    for (const template of templates) {
      const cells = await wholeGrid(template);
      for (const [name, list] of Object.entries(template.fields)) {
        if (list.type !== "list") continue;
        const texts = Object.entries(list.item).filter(([, { type }]) => type === "text");
        const itemsOf = (content: string) => cells.find((cell) => cell.content === `${name}:${content}`)?.data[name];
        if (texts.length === 0) continue;
        const [most, one] = [itemsOf("most-longest"), itemsOf("one-shortest")] as Record<string, string>[][];
        expect([template.slug, most?.length, one?.length]).toEqual([template.slug, list.max, Math.max(1, list.min)]);
        for (const [inner, field] of texts) {
          if (field.type !== "text") continue;
          expect(most?.map((item) => item[inner]?.length)).toEqual(Array(list.max).fill(field.maxLength));
          expect(one?.map((item) => item[inner])).toEqual(one?.map(() => "Q"));
        }
      }
    }
  });

  it("has each content of a single template when it is reduced", async () => {
    for (const template of templates) {
      const [whole, reduced] = [await wholeGrid(template), await reducedGrid([template])];
      expect(contentsOf(reduced).toSorted()).toEqual(contentsOf(whole).toSorted());
      expect(reduced.length).toBeLessThan(whole.length / 2);
    }
  });

  it("has each kind of content when it is reduced: of each template, or with two of them; and every variant", async () => {
    const whole = (await Promise.all(templates.map(wholeGrid))).flat();
    const reduced = await reducedGrid(templates);
    const kindOf = ({ template, content }: Cell) =>
      content
        .replace(/^(arabic|hebrew|thai|cyrillic|japanese|devanagari):.*/, "$1:")
        .replace(/^(empty|least|most):(?!all$).*/, `${template} $1`)
        .replace(/^(?!image:).*:(black|white|mid-grey|translucent)$/, `${template} color`);
    expect(new Set(reduced.map(kindOf))).toEqual(new Set(whole.map(kindOf)));
    const ofTemplates = reduced.map(kindOf).filter((kind) => kind.includes(" "));
    expect(ofTemplates).toHaveLength(new Set(ofTemplates).size);
    const own = reduced.filter(({ content }) => content === "own");
    expect(own).toHaveLength(templates.flatMap(({ variants }) => Object.keys(variants)).length);
    const arabic = reduced.filter(({ content }) => content === "arabic");
    expect(new Set(arabic.map(({ template }) => template)).size).toBe(2);
    expect(reduced.length).toBeLessThan(whole.length / 10);
  });
});
