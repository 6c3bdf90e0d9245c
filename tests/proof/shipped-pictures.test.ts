import { afterAll, beforeAll, expect, test } from "vitest";
import { wholeGrid } from "#lib/proof/grid/grid.ts";
import { judge } from "#lib/proof/judge.ts";
import { shutDown } from "#lib/render/render.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { prepareMachine } from "#tests/render/rig.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

/** Pictures of the grid that had faults, one for each cause. `npm run templates -- proof` draws the others. */
const ONCE_FAULTY = [
  ["commerce/product", "kettle", "empty:picture", "the sticker lay on the name"],
  ["commerce/receipt", "munyang", "chinese-traditional", "a wide won sign pushed the sum off the picture"],
  ["commerce/sale", "nasij", "myanmar", "digits reached into the next figure"],
  ["commerce/sale", "nasij", "japanese", "the shop was below the picture"],
  ["data/wrapped", "lectura", "urdu", "the figures lay on the title"],
  ["data/wrapped", "shan", "long-word", "the title pushed the figures onto the year"],
  ["data/wrapped", "shan", "empty:all", "the title had no room without figures and a list"],
  ["document/invoice", "tischlerei", "items:most-longest", "rows ran over the totals"],
  ["document/invoice", "raqeem", "items:most-longest", "many texts gave too little each"],
  ["food/menu", "supra", "dishes:most-longest", "the last dish lay on the legend"],
  ["sport/result", "chrono", "events:most-longest", "the way lay on the times"],
  ["blog/article", "daylight", "myanmar", "a digit below the line met the word under it"],
  ["blog/article", "daylight", "japanese", "the title was cut"],
  ["document/certificate", "bindery", "urdu", "the issuer left its line"],
  ["event/ticket", "concert", "japanese", "the code was cut"],
  ["event/ticket", "club", "longest", "the presenter was cut"],
  ["event/ticket", "oud", "tamil", "the words on the stub were wider than it"],
  ["product/launch", "lamplight", "combining-marks", "the release left its plate"],
] as const;

const { templates } = await getRegistry();

test.each(ONCE_FAULTY)("%s %s with %s has no fault (%s)", async (slug, variant, content) => {
  const template = templates.find((known) => known.slug === slug);
  const cells = template ? await wholeGrid(template) : [];
  const cell = cells.find((one) => one.variant === variant && one.content === content);
  if (!cell) throw new Error("The grid has no such picture.");
  expect((await judge(cell, { caller: "test" })).verdict.faults).toEqual([]);
});

const HIGHEST_PRICE = { price: { amount: 9_999_999_999, currency: "XOF" }, oldPrice: null, language: "fr" };
const LONGEST_DISH = {
  course: "Donaudampfschifffahrtsgesellsc",
  name: "Donaudampfschifffahrtsgesellschaftskapitän und noch viel",
  with: "Donaudampfschifffahrtsgesellschaftskapitän und noch viele weitere Wörter, die folgen",
  price: { amount: 1_234_567.89, currency: "EUR" },
  diet: "vegan",
  glutenFree: true,
};
const HIGHEST_FIGURE = { name: "United States of America and more", value: 9_999_999_999, note: "estimated" };

test.each([
  ["commerce/product", "kettle", { ...HIGHEST_PRICE, layout: "disc" }],
  ["commerce/product", "kettle", { ...HIGHEST_PRICE, layout: "seam" }],
  ["food/menu", "rettich", { dishes: Array.from({ length: 10 }, () => LONGEST_DISH) }],
  ["data/ranking", "lakes", { rows: [HIGHEST_FIGURE, { name: "India", value: 1_450_935_791 }] }],
])("%s has room for the highest numbers that it takes", async (template, variant, data) => {
  const { faults } = (await judge({ template, variant, content: "highest", data }, { caller: "test" })).verdict;
  expect(faults).toEqual([]);
});

test.each([
  ["el", 12_400],
  ["kk", 999_999_999],
  ["ru", 999_999_999],
])("in %s, the word after a rounded number keeps off the words below it", async (language, value) => {
  const figures = [{ value, format: "compact", label: "É".repeat(23) }];
  const data = { title: "2026", language, figures, best: null, bestTitle: null };
  const { faults } = (await judge({ template: "data/wrapped", variant: "shan", content: language, data }, {})).verdict;
  expect(faults).toEqual([]);
});
