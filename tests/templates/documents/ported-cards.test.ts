import sharp from "sharp";
import { expect, test } from "vitest";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { readPortedCards, runNextOg, writePortedCards } from "#scripts/pictures/ported-cards.ts";
import { templatesRoot } from "#tests/templates/template-folder.ts";

test("the ported cards of the documents are templates without a fault", async () => {
  const root = templatesRoot();
  writePortedCards(root);
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  expect(templates.map(({ slug, width, height }) => [slug, width, height])).toEqual([
    ["html", 1200, 630],
    ["og", 1200, 630],
  ]);
});

test("the code of next/og draws a picture of the size of its port", async () => {
  const { width, height } = await sharp(await runNextOg(readPortedCards().nextOg)).metadata();
  expect([width, height]).toEqual([1200, 630]);
});

test("the HTML card is a page with places to fill in", () => {
  const { html } = readPortedCards();
  expect(html).toContain("<!doctype html>");
  expect(html.match(/\{\{\w+\}\}/g)).toEqual(["{{title}}", "{{place}}", "{{date}}", "{{time}}", "{{price}}"]);
});
