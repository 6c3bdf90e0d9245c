import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { drawChart } from "#lib/templates/drawings/charts.ts";
import type { Drawing } from "#lib/templates/drawings/drawing.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { documentWarnings, overlongDrawings } from "#lib/templates/warnings.ts";
import { compileCard } from "../card.ts";
import { manifestWith, TITLE } from "../template-folder.ts";

/** The size of the chart of `data/wrapped`, with its twelve months. */
const YEAR = { width: 936, height: 250, size: 24 };

function drawYear(filter: string, labels: string[]): { texts: string[]; sizes: number[] } {
  const value = { labels, series: [{ name: "", values: labels.map(() => 1) }] };
  const { html } = drawChart(filter, value, Object.entries({ ...YEAR, labels: true }), "en") as Drawing;
  const written = [...html.matchAll(/<text [^>]*font-size="([\d.]+)"[^>]*>([^<]*)</g)];
  const names = written.filter(([, , text]) => text !== "1");
  return { texts: names.map(([, , text]) => text ?? ""), sizes: names.map(([, size]) => Number(size)) };
}

const monthsOf = (language: string) =>
  Array.from({ length: 12 }, (_, month) =>
    new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" }).format(Date.UTC(2026, month)),
  );

test.each(["en", "fr", "de", "ru", "el"])("bars have the months in %s whole, in one size", (language) => {
  const { texts, sizes } = drawYear("stacked_chart", monthsOf(language));
  expect(texts).toEqual(monthsOf(language));
  expect(new Set(sizes).size).toBe(1);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(YEAR.size * 0.75);
});

test("names that would look alike when shortened stand below every second bar, or fewer, and whole", () => {
  const shown = drawYear("stacked_chart", monthsOf("vi")).texts;
  expect(shown.length).toBeGreaterThanOrEqual(6);
  expect(monthsOf("vi")).toEqual(expect.arrayContaining(shown));
});

const LONG = "A name that no bar has room for";

test("names that are much too wide do not make the others smaller", () => {
  const { texts, sizes } = drawYear("bar_chart", [LONG, ...monthsOf("en").slice(1)]);
  expect(texts[0]).toMatch(/^A.*…$/);
  expect(sizes).toEqual(sizes.map(() => YEAR.size));
});

test("names that have room in a smaller size are whole, also where others have none", () => {
  const names = ["சென்னை", "மதுரை", "கோவை", "திருச்சி", "சேலம்", "தஞ்சாவூர்", "வேலூர்", "நெல்லை"];
  const { texts, sizes } = drawYear("bar_chart", names);
  expect(texts.filter((text) => names.includes(text)).length).toBeGreaterThanOrEqual(4);
  expect(new Set(sizes).size).toBe(1);
});

test.each(["bar_chart", "donut_chart"])("a name that ends in an ellipsis in a %s is a warning", async (filter) => {
  const template = await compileCard({
    "template.json": manifestWith({ title: TITLE, figures: { type: "series", label: "Figures" } }),
    "content.json": JSON.stringify({ plain: { title: "x", figures: [5, 1] } }),
    "template.html": `<h1>{{ title }}</h1>{{ figures | ${filter}: width: 300, height: 200 }}`,
  });
  const base = template.variants.plain?.values ?? {};
  const lossesOf = async (...labels: string[]) => {
    const data = { figures: labels.map((label) => ({ label, value: 1 })) };
    const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
    const composed = { template, base, values, document: composeDocument(template, values) };
    return { warnings: await documentWarnings(composed), refused: overlongDrawings(composed) };
  };
  expect(await lossesOf("Jan", "Feb")).toEqual({ warnings: [], refused: [] });
  const message = "Cut to fit: 1 of 3 names are shown, and the others are shortened or left out.";
  expect(await lossesOf("Jan", `First: ${LONG}`, `Second: ${LONG}`)).toEqual({
    warnings: [{ path: "/data/figures", code: "text_cut", message }],
    refused: [],
  });
});

test.each([
  { name: "دبي 30°C", language: "ar-AE", label: "\u2067\u2067دبي \u202a30°C\u202c\u2069 40°م\u2069" },
  { name: "Wind", language: "ar-AE", label: "\u2067\u2066Wind\u2069 40°م\u2069" },
  { name: "Wind", language: "en", label: "Wind 40°C" },
])("$name and its value in $language keep their order in the label of a line", ({ name, language, label }) => {
  const value = { labels: ["C++ ב"], series: [{ name, values: [40] }] };
  const options = { ...YEAR, format: "unit", unit: "celsius" };
  const { html } = drawChart("line_chart", value, Object.entries(options), language) as Drawing;
  expect(html).toContain(`>${label}</text>`);
  expect(html).toContain(">\u2067\u202aC++\u202c ב\u2069</text>");
});
