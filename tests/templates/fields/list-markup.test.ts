import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { documentWarnings } from "#lib/templates/warnings.ts";
import { compileCard } from "../card.ts";
import { faultsOf } from "../faults/faults-of.ts";
import { manifestWith } from "../template-folder.ts";

const NAME = { type: "text", label: "Name", required: true, fit: { mode: "shrink", maxLines: 1, minSize: 12 } };
const ROWS = {
  type: "list",
  label: "Rows",
  item: { name: NAME, amount: { type: "number", label: "Amount" }, note: { type: "text", label: "Note" } },
  max: 3,
  overflow: "more",
};
const ROW =
  '<p data-fit="rows.name">{{ row.name }}</p>{% if row.note %}<i>{{ row.note }}</i>{% endif %}{{ row.amount }}';
const LOOP = `{% for row in rows %}${ROW}{% endfor %}`;
const MORE = "{% if rows.more > 0 %}<b>{{ rows.more | local_more }}</b>{% endif %}";

const files = (html: string, rows: object = ROWS, content: object = { rows: [{ name: "Ada" }] }) => ({
  "template.json": manifestWith({ rows }),
  "content.json": JSON.stringify({ plain: content }),
  "template.html": html,
});

async function compose(html: string, { rows, declared = ROWS }: { rows: unknown; declared?: object }) {
  const template = await compileCard(files(html, declared));
  const base = template.variants.plain?.values ?? {};
  const read = await readFields({ declarations: template.fields, values: { rows }, base, path: "/data" });
  expect(read.issues).toEqual([]);
  const document = composeDocument(template, read.values);
  const warnings = await documentWarnings({ template, base, values: read.values, document });
  return { body: /<body>(.*)<\/body>/s.exec(document.html)?.[1] ?? "", document, warnings };
}

test("a loop shows every item, leaves out what is empty, and tells its elements apart", async () => {
  const { body } = await compose(LOOP + MORE, {
    rows: [
      { name: "Ada", note: "x" },
      { name: "Bo", amount: 7 },
    ],
  });
  expect(body).toBe('<p data-fit="rows[0].name" lang="">Ada</p><i>x</i><p data-fit="rows[1].name" lang="">Bo</p>7');
});

test.each([
  [
    "a list in another order",
    "{% assign last = rows | reverse %}{% for row in last %}",
    "{% endfor %}",
    "rows[1].name",
    "Bo",
  ],
  ["a part of the list", "{% for row in rows offset: 1 %}", "{% endfor %}", "rows[1].name", "Bo"],
  ["one item", "{% if rows %}{% assign row = rows | last %}", "{% endif %}", "rows[1].name", "Bo"],
])("an element in %s is that of its item", async (_, before, after, id, text) => {
  const { body } = await compose(before + ROW + after + MORE, { rows: [{ name: "Ada" }, { name: "Bo" }] });
  expect(body).toContain(`<p data-fit="${id}" lang="">${text}</p>`);
});

test.each([
  ["English", "The best walks of this summer", "+2 more"],
  ["German", "Die schönsten Wanderungen dieses Sommers", "+2 weitere"],
  ["Japanese", "この夏いちばんの散歩道", "ほか2件"],
  ["Marathi", "या उन्हाळ्यातील सर्वोत्तम चालण्याचे मार्ग आणि इतर ठिकाणे", "+२"],
])("a list says how many items it leaves out, in %s", async (_, name, words) => {
  const rows = [name, ...Array.from({ length: 4 }, () => "2")].map((text) => ({ name: text }));
  const { body } = await compose(LOOP + MORE, { rows });
  expect(body).toContain(`>${words}<`);
  expect(body.match(/data-fit/g)).toHaveLength(3);
});

test("an empty list shows nothing and has a count", async () => {
  const { body } = await compose(`{% if rows %}rows{% else %}none{% endif %}${LOOP}${MORE}{{ rows.size }}`, {
    rows: [],
  });
  expect(body).toBe("none0");
});

test("the language of a document and of each text is found from the items too", async () => {
  const rows = [{ name: "Die schönsten Wanderungen" }, { name: "今年の夏はとても暑いです" }];
  const { body, document } = await compose(LOOP + MORE, { rows });
  expect(document.html).toContain('<html lang="de"');
  expect(body).toContain('data-fit="rows[1].name" lang="ja"');
});

test("texts of items are isolated beside right-to-left ones", async () => {
  const { body } = await compose(
    '{% for row in rows %}<p data-fit="rows.name">{{ row.name }}</p>{{ row.note }}: {{ row.amount }}{% endfor %}' +
      MORE,
    {
      rows: [{ name: "Ada", note: "שלום", amount: 7 }],
    },
  );
  expect(body).toContain("<text-run data-dir=rtl");
});

test("colours of items are composed, and lie over those of the template", async () => {
  const declared = {
    ...ROWS,
    item: { ...ROWS.item, tint: { type: "color", label: "Tint", over: "#ffffff", default: "#00000080" } },
  };
  const { body } = await compose(
    `{% for row in rows %}${ROW}<i style="color: {{ row.tint }}"></i>{% endfor %}${MORE}`,
    {
      rows: [{ name: "Ada" }],
      declared,
    },
  );
  expect(body).toContain('style="color: #7f7f7f"');
});

test("a value of an item that the template does not show is warned about where it is", async () => {
  const html = `{% for row in rows %}<p data-fit="rows.name">{{ row.name }}</p>{{ row.amount }}{% if forloop.first %}{{ row.note }}{% endif %}{% endfor %}${MORE}`;
  const { warnings } = await compose(html, {
    rows: [
      { name: "Ada", note: "shown" },
      { name: "Bo", note: "lost" },
    ],
  });
  expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(["field_ignored /data/rows/1/note"]);
});

test.each([
  [
    "an unknown field of an item",
    files(`${LOOP}${MORE}{% for row in rows %}{{ row.naem }}{% endfor %}`),
    /undefined variable: row\.naem\. Did you mean "row\.name"\?/,
  ],
  [
    "a misspelt use of an item field that is used nowhere else",
    files(LOOP.replaceAll("row.note", "row.notes") + MORE),
    /^(?!.*never|.*not used)[^\n]*undefined variable: row\.notes\. Did you mean "row\.note"\?[^\n]*$/,
  ],
  [
    "an item field that is not used",
    files(LOOP.replaceAll("row.note", "row.name") + MORE),
    /The field "rows\.note" is declared but not used\. Write \{\{ item\.note \}\} inside \{% for item in rows %\}/,
  ],
  [
    "a list that is not used",
    files("<p>{% assign name = 1 %}{% assign note = 2 %}{% assign amount = 3 %}</p>"),
    /The list "rows" is declared but not used\. Write \{% for item in rows %\}/,
  ],
  ["a count that is not used", files(LOOP), /The list "rows" declares "overflow": "more", but its count is not used/],
  [
    "an element to fit that is missing",
    files(LOOP.replace("data-fit", "class") + MORE),
    /The field "rows\.name" declares "fit", but no element has data-fit="rows\.name"/,
  ],
  [
    "an element to fit outside of a loop",
    files(`${LOOP}${MORE}\n<p data-fit="rows.name"></p>`),
    /template\.html:2 Got data-fit="rows\.name" outside a loop, want it inside \{% for item in rows %\}/,
  ],
  [
    "an element to fit for another type",
    files(`${MORE}{% for row in rows %}${ROW}<p data-fit="rows.amount"></p>{% endfor %}`),
    /Got data-fit="rows\.amount", want the name of a field that declares "fit"/,
  ],
  [
    "a text of an item in a style",
    files(`${LOOP}${MORE}\n{% for row in rows %}<i style="color: {{ row.note }}"></i>{% endfor %}`),
    /template\.html:\d The text field "rows\.note" is in /,
  ],
  [
    "a text of an item as an address",
    files(`${LOOP}${MORE}\n{% for row in rows %}<img src="{{ row.note }}">{% endfor %}`),
    /template\.html:2 Got src="\{\{ row\.note \}\}", want an image field/,
  ],
  [
    "a variable that hides an item",
    files(
      `${LOOP}${MORE}{% for row in rows %}{% assign row = rows[0] %}{% for row in rows %}<a data-x="{{ row.note }}"></a>{% endfor %}{% endfor %}<p style="{{ rows[0].note }}"></p>`,
    ),
    /"rows\.note" is in /,
  ],
  [
    "a bad value of an item",
    files(LOOP + MORE, ROWS, { rows: [{ name: "Ada" }, { name: 5 }] }),
    /content\.json:1 plain\.rows\.1\.name: Got 5, want a string/,
  ],
  [
    "fewer items than it wants",
    files(LOOP + MORE, { ...ROWS, min: 2 }),
    /content\.json:1 plain\.rows: Got 1 item, want 2 to 100 items/,
  ],
])("a template with %s is refused", async (_, given, reason) => {
  expect((await faultsOf(given)).join("\n")).toMatch(reason);
});

test("images and QR codes of items stand where those of the template do", async () => {
  const item = { photo: { type: "image", label: "Photo" }, link: { type: "qr", label: "Link" } };
  const declared = { type: "list", label: "Rows", item, max: 2 };
  const image = '<img data-image="rows.photo" src="{{ card.photo }}" alt="">';
  const code = '<img data-qr="rows.link" src="{{ card.link }}" alt="">';
  const html = `{% for card in rows %}{% if card.photo %}${image}{% endif %}{% if card.link %}${code}{% endif %}{% endfor %}`;
  const content = { rows: [{ photo: "assets/dot.svg" }, { link: "https://example.com" }] };
  const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><path d="M0 0h1v1H0z"/></svg>';
  const template = await compileCard({ ...files(html, declared, content), "assets/dot.svg": dot });
  const document = composeDocument(template, template.variants.plain?.values ?? {}).html;
  expect(document).toMatch(/<img data-image="rows\[0\]\.photo" src="data:image\/svg\+xml/);
  expect(document).toMatch(/<img data-qr="rows\[1\]\.link" src="data:image\/svg\+xml/);
  expect(document).toContain('[data-image^="rows["][data-image$="].photo"]{object-fit:cover');
});
