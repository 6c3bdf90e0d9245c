import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { linkPath } from "#lib/links/sign-link.ts";
import { codeTokens } from "../../app/(studio)/templates/snippets/code-tokens.ts";
import { LINK_LANGUAGES } from "../../app/(studio)/templates/snippets/languages.ts";
import { linkFault } from "../../app/(studio)/templates/snippets/link-program.ts";
import type { SnippetRequest } from "../../app/(studio)/templates/snippets/snippet.ts";
import { HERE, HOSTILE, MISSING, runSnippet } from "./run-snippet.ts";

const KEY = { id: "web", secret: '$a\'secret:of "32" bytes #{or} more!' };
const ORIGIN = "https://pictures.example.com";

type LinkLanguage = keyof typeof LINK_LANGUAGES;
const LANGUAGES = HERE.filter((name): name is LinkLanguage => name !== "curl");

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "platen-links-"));
  return () => rmSync(dir, { recursive: true, force: true });
});

function requestWith(data: SnippetRequest["data"], variant?: string): SnippetRequest {
  return { origin: ORIGIN, template: "social/quote", variant, data, needsToken: false };
}

/** Values that every JSON library writes like canonical JSON, if it is told to. */
const { separators, controls, ...PLAIN } = HOSTILE;
const COMMON = {
  ...PLAIN,
  controls: "\u0001\u0007\u000b\u001b[31m",
  html: "<b>&amp;</b> / \u00e9",
  price: { currency: "EUR", amount: 12.5 },
  numbers: [1, -2, 0, 0.5, 0.0001, 1200, 9007199254740991, -1234567.125],
  flags: [true, false, null],
  none: [],
  items: [{}, { name: "" }],
  rows: Array.from({ length: 9 }, (_, index) => ({ name: `Row ${index}`, label: "x" })),
};

const CASES: [string, SnippetRequest][] = [
  ["values that could be misread", requestWith(COMMON, "poster")],
  ["values that libraries write in other ways", requestWith({ separators, controls, tiny: 1.5e-7, large: 1e21 })],
  ["no edits", requestWith({})],
];

it(`runs in ${LANGUAGES.join(", ")}${MISSING.length > 0 ? `, and not in ${MISSING.join(", ")}, which are not installed` : ""}`, () => {
  expect(LANGUAGES).toContain("typescript");
});

describe.each(LANGUAGES)("the %s code that signs a link", (language) => {
  it.each(CASES)("prints the link of the service, with %s", async (_name, request) => {
    const code = LINK_LANGUAGES[language].write(request);
    const env = { PLATEN_LINK_KEY: `${KEY.id}:${KEY.secret}` };
    const { template, variant, data } = request;
    const wanted = linkPath({ template, variant, ...(Object.keys(data).length > 0 && { data }) }, KEY);
    const ran = await runSnippet(language, { code, dir, env });
    expect(ran).toEqual({ code: 0, stdout: `${ORIGIN}${wanted}\n`, stderr: "" });
  });
});

describe.each(Object.entries(LINK_LANGUAGES))("the %s code that signs a link", (_language, { write }) => {
  it("holds no key, and is highlighted without changing a character", () => {
    const code = write(requestWith(COMMON));
    expect(
      codeTokens(code)
        .map(({ text }) => text)
        .join(""),
    ).toBe(code);
    expect(code).toContain("PLATEN_LINK_KEY");
  });
});

it("a link is offered neither for image files nor for values that are too long", () => {
  expect(linkFault(requestWith({ portrait: { file: "me.png", mediaType: "image/png" } }))).toBe("image");
  const overhead = JSON.stringify({ data: { quote: "" }, template: "social/quote" }).length;
  expect(linkFault(requestWith({ quote: "x".repeat(6_144 - overhead) }))).toBeUndefined();
  expect(linkFault(requestWith({ quote: "x".repeat(6_145 - overhead) }))).toBe("long");
});
