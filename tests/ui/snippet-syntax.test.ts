import { parser as goParser } from "@lezer/go";
import { parser as phpParser } from "@lezer/php";
import { loadPrism } from "@ruby/prism";
import { describe, expect, it } from "vitest";
import type { LanguageName } from "../../app/(studio)/templates/snippets/languages.ts";
import { LANGUAGES } from "../../app/(studio)/templates/snippets/languages.ts";

/** A value of every type of field, with signs that a language could misread. */
const DATA = {
  title: `it's "quoted" \\ $HOME #{exit} {$body} \`id\`\n<?php ?> __END__`,
  language: "pt-BR",
  torn: false,
  percent: 0.25,
  price: { amount: 12.5, currency: "JPY" },
  valid: { from: "2026-05-01", to: "2026-05-09T10:00[Europe/Berlin]" },
  redeemed: { done: 3, total: 12 },
  code: { text: "const a = '$x';\n// #{b}\n", language: "typescript", lines: "1, 2-3" },
  figures: [1, null, { label: "Tue", value: -1.5e-7 }],
  shares: { labels: ["Mon", "Tue"], series: [{ name: "Shop", values: [1, null] }] },
  portrait: { file: "it's #1 $x.png", mediaType: "image/png" },
  rows: Array.from({ length: 9 }, (_, index) => ({ name: `Row ${index}`, price: { amount: index, currency: "EUR" } })),
  none: [],
};

/** The places of syntax errors. */
function lezerErrors(parser: typeof goParser, code: string): string[] {
  const errors: string[] = [];
  parser.parse(code).iterate({
    enter: ({ type, from }) => {
      if (type.isError) errors.push(code.slice(from, from + 40));
    },
  });
  return errors;
}

const prism = await loadPrism();

const ERRORS: Partial<Record<LanguageName, (code: string) => string[]>> = {
  go: (code) => lezerErrors(goParser, code),
  php: (code) => lezerErrors(phpParser, code),
  ruby: (code) => prism(code).errors.map(({ message }) => message),
};

// Machines without these languages run no code of theirs, so it is at least parsed. The others are run elsewhere.
describe.each(Object.entries(ERRORS))("the %s snippet", (language, errorsIn) => {
  const { write } = LANGUAGES[language as LanguageName];
  const request = { origin: "https://pictures.example.com", template: "social/quote", data: DATA };

  it("has no syntax error, with values of every type of field", () => {
    expect(errorsIn(write({ ...request, needsToken: true }))).toEqual([]);
    expect(errorsIn(write({ ...request, variant: "poster", needsToken: false }))).toEqual([]);
  });

  it("would have one without a closing quote", () => {
    const code = write({ ...request, needsToken: true }).replace('"JPY"', '"JPY');
    expect(errorsIn(code).length).toBeGreaterThan(0);
  });
});
