import { describe, expect, test } from "vitest";
import { faultsOf } from "./faults-of.ts";

/** Each fault is told once, and nothing that follows from it. */
describe("a font family", () => {
  const notBundled = (name: string, rest: string) => [
    `social/faulty/style.css:1 Got the font family ${name}, which is not bundled. ${rest}`,
  ];
  test.each([
    ['font-family: "Frances", serif', notBundled('"Frances"', 'Did you mean "Fraunces"?')],
    ["font-family: Frances, serif", notBundled("Frances", 'Did you mean "Fraunces"?')],
    ["font: 700 40px/1.2 Frances, serif", notBundled("Frances", 'Did you mean "Fraunces"?')],
    ['font: italic 700 clamp(1px, 2vw, 9px)/normal "Frances"', notBundled('"Frances"', 'Did you mean "Fraunces"?')],
    ["--font-title: Spcae Grotesk, serif", notBundled("Spcae Grotesk", 'Did you mean "Space Grotesk"?')],
    ["FONT-FAMILY: inter, sans-serif", notBundled("inter", 'Did you mean "Inter"?')],
    ['font-family: "Inter", sarif', notBundled("sarif", "Did you mean serif?")],
    ["font-family: Arial", notBundled("Arial", 'Use "Noto Sans" instead, or add an @font-face with a file in assets.')],
    [
      "font: 40px Space Grotesk, sans-serif",
      ['social/faulty/style.css:1 Got the font family Space Grotesk without quotes, want "Space Grotesk".'],
    ],
  ])("that is unknown or without quotes is a fault: %s", async (declaration, wanted) => {
    expect(await faultsOf({ "style.css": `h1 { ${declaration} }` })).toEqual(wanted);
  });

  test("is checked in attributes too", async () => {
    const wanted =
      'social/faulty/template.html:1 Got the font family Frances, which is not bundled. Did you mean "Fraunces"?';
    expect(
      await faultsOf({ "template.html": '<h1 style="color: red; font-family: Frances">{{ title }}</h1>' }),
    ).toEqual([wanted]);
    const svg = '<h1>{{ title }}</h1><svg><text font-family="Frances">x</text></svg>';
    expect(await faultsOf({ "template.html": svg })).toEqual([wanted]);
  });

  test("is not checked where Liquid writes it", async () => {
    const svg = `<h1>{{ title }}</h1><svg><text font-family="{{ 'x' }}, Inter">x</text></svg>`;
    expect(await faultsOf({ "template.html": svg })).toEqual([
      'social/faulty/template.html:1 Got the font family Inter without quotes, want "Inter".',
    ]);
  });

  test.each([
    "font: inherit",
    "font: caption",
    "font: var(--text)",
    'font: 700 large "Inter", serif',
    "font: 700 40px/1.2 var(--font-title), serif",
    'font: bold calc(1px * 2)/normal "Inter"',
    "font-family: INHERIT",
    "--font-title: ",
    '--font-size: "Inter"',
  ])("that is known is no fault: %s", async (declaration) => {
    const served = faultsOf({ "style.css": `h1 { ${declaration} }`, "template.html": "{{ title }}{{ x }}" });
    expect((await served).filter((fault) => fault.includes("style.css"))).toEqual([]);
  });
});

test.each([
  [
    "an end in another line",
    "Got a string",
    'h1 { font-family: "Inter, serif; }\nb { font-family: Inter, serif", serif; }',
  ],
  [
    "an odd number of quotes",
    "The style sheet is not valid CSS: Unclosed string",
    'h1 { font-family: "Inter; }\nb { font: 9px "Inter"; }',
  ],
])("a string with %s is told once, at its line", async (_, wanted, style) => {
  const faults = await faultsOf({ "style.css": `/* it's */\n${style}` });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(`style.css:2 ${wanted}`);
});
