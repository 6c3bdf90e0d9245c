import { describe, expect, test } from "vitest";
import { compile, useTemplatesRoot } from "./compiled-card.ts";
import { manifestWith, TITLE } from "./template-folder.ts";

useTemplatesRoot();

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

const NAME = "Grün.svg";

/** A Mac takes the marks of letters apart in the names of files, a keyboard writes them in one character. */
describe.each([
  ["apart", "composed", NAME.normalize("NFD"), NAME.normalize("NFC")],
  ["composed", "apart", NAME.normalize("NFC"), NAME.normalize("NFD")],
])("a file whose name is %s, and %s where it is named", (_file, _named, file, named) => {
  test("is found from markup, styles, a variant and an option", async () => {
    const { template, faults } = await compile({
      [`assets/${file}`]: LOGO,
      "template.json": manifestWith({
        title: TITLE,
        mark: { type: "image", label: "Mark" },
        side: {
          type: "select",
          label: "Side",
          options: ["left", "right"],
          default: "left",
          pictures: { left: `assets/${named}`, right: `assets/${named}` },
        },
      }),
      "content.json": JSON.stringify({ plain: { title: "Hello", mark: `assets/${named}` } }),
      "template.html": `<h1>{{ title }}</h1><img src="assets/${named}" alt=""><img src="{{ mark }}" alt=""><i>{{ side }}</i>`,
      "style.css": `h1 { background: url("./assets/${named}") }`,
    });
    expect(faults).toEqual([]);
    const url = `data:image/svg+xml;base64,${Buffer.from(LOGO).toString("base64")}`;
    expect(template?.html).toContain(`<img src="${url}" alt="">`);
    expect(template?.css).toContain(url);
    expect(template?.fields.side).toMatchObject({ pictures: { left: url } });
  });

  test("is found among the files of all templates", async () => {
    const { faults } = await compile(
      { "template.html": `<h1>{{ title }}</h1><img src="_parts/${named}" alt="">` },
      { [`_parts/${file}`]: LOGO },
    );
    expect(faults).toEqual([]);
  });
});

test("a file that is not there is told with the nearest name, whatever its letters", async () => {
  const { faults } = await compile({
    [`assets/${NAME}`]: LOGO,
    "template.html": '<h1>{{ title }}</h1><img src="assets/Grünn.svg" alt="">',
  });
  expect(faults).toEqual([
    "social/card/template.html:1 Got assets/Grünn.svg, which is not there. Did you mean assets/Grün.svg?",
  ]);
});
