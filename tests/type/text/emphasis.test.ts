import { expect, test, vi } from "vitest";
import { fillLiquid, parseLiquid } from "#lib/templates/liquid.ts";
import { readTextSettings } from "#lib/templates/text-settings.ts";
import { readEmphasis } from "#lib/type/text/emphasis.ts";

/** What a template draws, with short tags. */
function drawn(source: string, markup = "{{ note }}"): string {
  const note = readEmphasis(source);
  const { html } = fillLiquid(
    parseLiquid(markup),
    { note, words: "b c" },
    { ...readTextSettings({}, {}), language: "en" },
  );
  return html.replaceAll(" data-marked", "").replaceAll("strong", "b").replaceAll("em>", "i>");
}

test.each([
  ["a **b** c", "a <b>b</b> c"],
  ["a *b* c", "a <i>b</i> c"],
  ["a ==b== c", "a <mark>b</mark> c"],
  ["***b***", "<b><i>b</i></b>"],
  ["**a *b* c**", "<b>a <i>b</i> c</b>"],
  ["*a **b***", "<i>a </i><b><i>b</i></b>"],
  ["==a **b** c==", "<mark>a <b>b</b> c</mark>"],
  ["one*two*three", "one<i>two</i>three"],
  ["日本**語**です", "<text-run lang=ja>日本<b>語</b>です</text-run>"],
])("%s is %s", (source, wanted) => {
  expect(drawn(source)).toBe(wanted);
});

test.each(["2 * 3 * 4 == 5", "a ** b ** c", "**a", "a*", "*", "**", "====", "****", "a = b", "C:\\new"])(
  "%s has no emphasis",
  (source) => {
    expect(drawn(source)).toBe(source);
  },
);

test.each([
  ["**a *b** c*", "<b>a *b</b> c*"],
  ["*a ==b* c==", "<i>a ==b</i> c=="],
  ["**a", "**a"],
  ["\\*a\\* \\=\\= \\\\", "*a* == \\"],
  ["**<b>&**", "<b>&lt;b&gt;&amp;</b>"],
])("what is unbalanced or escaped is drawn: %s", (source, wanted) => {
  expect(drawn(source)).toBe(wanted);
});

test("words are marked in a text with emphasis, also across its ends", () => {
  expect(drawn("a **b** c d", "{{ note | mark: words }}")).toBe("a <mark><b>b</b> c</mark> d");
});

test("an attribute and other filters get the text without its signs", () => {
  expect(drawn("**a** b", '<p title="{{ note }}">{{ note | upcase }}</p>')).toBe('<p title="a b">A B</p>');
});

test("the text of a drawing has no elements, which would end the drawing", () => {
  expect(drawn("**a** b", "<svg><text>{{ note }}</text></svg>")).toBe("<svg><text>a b</text></svg>");
});

test.each([
  "*a".repeat(2_500),
  "*".repeat(5_000),
  "**a*".repeat(1_200),
  "a== ==b".repeat(700),
  " ==a".repeat(620) + "a* ".repeat(830),
  "*a **a ==a ".repeat(450),
])("each sign is looked at a few times, however many there are", (source) => {
  let looks = 0;
  const spies = (["findLast", "findLastIndex", "every"] as const).map((name) => {
    const original = Array.prototype[name] as (this: unknown[], test: (each: unknown) => boolean) => unknown;
    return vi.spyOn(Array.prototype, name).mockImplementation(function (this: unknown[], test) {
      return original.call(this, (each) => {
        looks++;
        return test(each, 0, this) as boolean;
      });
    });
  });
  const { text } = readEmphasis(source);
  for (const spy of spies) spy.mockRestore();
  expect(text.length).toBeLessThanOrEqual(source.length);
  expect(looks).toBeLessThan(5 * source.length);
});
