import { expect, test } from "vitest";
import { fillLiquid, parseLiquid } from "#lib/templates/liquid.ts";

test.each([
  ['{{ day | long_date: "fr" }}', "2 mai 2026"],
  ['{{ day | long_date: "ja" }}', "2026年5月2日"],
  ['{{ day | long_date: "hi" }}', "2 मई 2026"],
  ["{{ day | long_date }}", "2 May 2026"],
  ['{{ nothing | long_date: "fr" }}', ""],
  ['{{ day | date: "%-d %B %Y %H:%M" }}', "2 May 2026 19:30"],
  ["{{ text | script }} {{ text | lang }}", "han zh-Hant"],
])("%s writes %j", (source, wanted) => {
  const values = { day: "2026-05-02T19:30:00Z", nothing: null, text: "臺灣" };
  expect(fillLiquid(parseLiquid(source), values)).toBe(wanted);
});

test("every tag escapes what it writes, and what undoes it is not there", () => {
  const values = { text: `<b>"'&` };
  const escaped = "&lt;b&gt;&#34;&#39;&amp;";
  for (const source of ["{{ text }}", "{% echo text %}", "{% cycle text, text %}", "{% liquid echo text %}"]) {
    expect(fillLiquid(parseLiquid(source), values)).toBe(escaped);
  }
  expect(() => parseLiquid("{{ text | raw }}")).toThrow("undefined filter: raw");
});
