import { expect, test, vi } from "vitest";
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
  expect(fillLiquid(parseLiquid(source), values).html).toBe(wanted);
});

test("a template cannot reach what a value inherits", () => {
  for (const source of ["{{ text.constructor }}", "{{ text.constructor.constructor }}", "{{ list.map }}"]) {
    expect(() => fillLiquid(parseLiquid(source), { text: "x", list: [1] }), source).toThrow("undefined variable");
  }
});

test("a template with too many steps is stopped, however fast the machine is", () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const source = (count: number) =>
    `{% for a in (1..${count}) %}{% for b in (1..100) %}{{ b }}{% endfor %}{% endfor %}`;
  expect(fillLiquid(parseLiquid(source(200)), {}).steps).toBeGreaterThan(20_000);
  expect(() => fillLiquid(parseLiquid(source(600)), {})).toThrow("more than 50000 steps");
  vi.restoreAllMocks();
});

test("a template that runs too long is stopped", () => {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 100));
  const source = "{% for a in (1..1000) %}{{ a }}{% endfor %}";
  expect(() => fillLiquid(parseLiquid(source), {})).toThrow("render limit exceeded");
  vi.restoreAllMocks();
});

test("a template that would take too much memory is stopped", () => {
  const source = `{% assign text = "x" %}${"{% assign text = text | append: text %}".repeat(27)}`;
  expect(() => fillLiquid(parseLiquid(source), {})).toThrow("memory");
});

test("a filter with a random result is refused", () => {
  expect(() => parseLiquid("{{ list | sample }}")).toThrow("undefined filter: sample");
});

test("every tag escapes its output, and the filter that undoes it is refused", () => {
  const values = { text: `<b>"'&` };
  const escaped = "&lt;b&gt;&#34;&#39;&amp;";
  for (const source of ["{{ text }}", "{% echo text %}", "{% cycle text, text %}", "{% liquid echo text %}"]) {
    expect(fillLiquid(parseLiquid(source), values).html).toBe(escaped);
  }
  expect(() => parseLiquid("{{ text | raw }}")).toThrow("undefined filter: raw");
});
