import { expect, test } from "vitest";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { compileCard } from "../card.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "../template-folder.ts";
import { faultsOf } from "./faults-of.ts";

/** A template that uses its text in an unsafe place in one branch only. */
const TONES = manifestWith({
  title: TITLE,
  tone: { type: "select", label: "Tone", options: ["light", "dark"], default: "light" },
});
const BRANCH = '{% if tone == "dark" %}<h1 style="color: {{ title }}">x</h1>{% else %}<h1>{{ title }}</h1>{% endif %}';

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';

test.each<[string, Record<string, string>, RegExp]>([
  [
    "Liquid that does not parse",
    { "template.html": "<p>{{ title }}</p>\n{% if title %}" },
    /template\.html:2 .*not closed/,
  ],
  [
    "a variable that is not declared",
    { "template.html": "<p>{{ title }}</p>\n<p>{{ titel }}</p>" },
    /template\.html:2 undefined variable: titel/,
  ],
  [
    "one brace too few",
    { "template.html": "<p>{{ title }</p>{{ title }}" },
    /html:1 .*the two braces that end the output/,
  ],
  [
    "a loop that is not closed",
    { "template.html": "{% if title %}{% for x in title %}{{ x }}{% endif %}{{ title }}" },
    /html:1 Got \{% endif %\}, but its tag, or one inside it/,
  ],
  [
    "a word without its quotes",
    { "template.html": "<p>{{ title }}{{ title | append: full }}</p>" },
    /undefined variable: full\. .*put quotes around it if it is a text/,
  ],
  [
    "a misspelt filter",
    { "template.html": "<p>{{ title | upcas }}</p>" },
    /undefined filter: upcas\. Did you mean "upcase"\?$/,
  ],
  ["an unknown filter", { "template.html": "<p>{{ title | shout }}</p>" }, /undefined filter: shout/],
  ["the filter that undoes escaping", { "template.html": "<p>{{ title | raw }}</p>" }, /undefined filter: raw/],
  ["a tag that reads files", { "template.html": "<p>{{ title }}</p>{% include 'x' %}" }, /want a file such as "_parts/],
  ["a script", { "template.html": "<p>{{ title }}</p>\n\n<script>1</script>" }, /template\.html:3 <script> is refused/],
  [
    "an animation by a clock of its own",
    { "template.html": '<p>{{ title }}</p><svg><rect><animateTransform attributeName="x"/></rect></svg>' },
    /<animateTransform> is refused/,
  ],
  [
    "a file that <use> does not draw",
    { "template.html": '<p>{{ title }}</p><svg><use href="assets/a.svg"/></svg>', "assets/a.svg": DRAWING },
    /html:1 Got <use href="assets\/a\.svg">, which draws nothing/,
  ],
  [
    "a pattern in another file",
    { "template.html": '<p>{{ title }}</p><svg><path fill="url(assets/a.svg#b)"/></svg>', "assets/a.svg": DRAWING },
    /html:1 Got fill="url\(assets\/a\.svg#b\)", which has no effect/,
  ],
  ["an autofocus", { "template.html": '<p tabindex="0" autofocus>{{ title }}</p>' }, /autofocus is refused/],
  ["an event handler", { "template.html": '<p onclick="x">{{ title }}</p>' }, /onclick is refused/],
  [
    "an image from elsewhere",
    { "template.html": '<p>{{ title }}</p><img src="https://example.com/x.png">' },
    /want an image field/,
  ],
  [
    "an image whose name every object has",
    { "template.html": '<p>{{ title }}</p><img src="constructor">' },
    /Got src="constructor", want an image field/,
  ],
  [
    "a text field in the name of a file",
    { "template.html": '<img src="assets/{{ title }}.svg">' },
    /want an image field/,
  ],
  ["a text field as an address", { "template.html": '<img src="{{ title }}">' }, /want an image field/],
  [
    "a text field in a style attribute",
    { "template.html": '<p style="color: {{ title }}">x</p>' },
    /"title" is in the attribute style/,
  ],
  [
    "a text field in an element that Liquid writes",
    { "template.html": '<{{ "textarea" }}>{{ title }}</{{ "textarea" }}>' },
    /"title" is in <textarea>/,
  ],
  ["a text field in a comment", { "template.html": "<p>{{ title }}</p><!-- {{ title }} -->" }, /"title"/],
  [
    "a text field in an unquoted attribute",
    { "template.html": "<p class={{ title }}>x</p>" },
    /attribute without quotes/,
  ],
  [
    "a text field in a style attribute of one branch",
    { "template.json": TONES, "template.html": BRANCH },
    /"title" is in the attribute style/,
  ],
  [
    "a date that is the time of the render",
    { "template.html": '<p>{{ title }}{{ "now" | date: "%s" }}</p>' },
    /must not depend on the current time/,
  ],
  ["markup nested 50,000 deep", { "template.html": `${"<div>".repeat(50_000)}{{ title }}` }, /nested too deeply/],
  [
    "a text file of megabytes",
    { "template.html": `<p>{{ title }}</p>${" ".repeat(1_000_000)}` },
    /html:1 Got 10000\d\d bytes, want at most 1000000/,
  ],
  [
    "a text field that ends an unquoted attribute",
    { "template.html": "<p class=x{{ title }}>x</p>" },
    /changes the elements of the document/,
  ],
  ["a field that is never used", { "template.html": "<p>x</p>" }, /"title" is declared but not used/],
  [
    "a fit without its element",
    { "template.json": manifestWith({ title: { ...TITLE, fit: { mode: "clamp", maxLines: 2 } } }) },
    /no element has data-fit="title"/,
  ],
  [
    "a QR code without its element",
    {
      "template.json": manifestWith({ title: TITLE, entry: { type: "qr", label: "Entry" } }),
      "template.html": '<p>{{ title }}</p><img src="{{ entry }}" alt="">',
    },
    /no element has data-qr="entry"/,
  ],
  [
    "a mark for a QR code on another element",
    { "template.html": '<p data-qr="title">{{ title }}</p>' },
    /Got data-qr="title", want/,
  ],
  [
    "an image of a variant whose name every object has",
    {
      "template.json": manifestWith({ title: TITLE, photo: { type: "image", label: "Photo" } }),
      "template.html": '<p>{{ title }}</p><img src="{{ photo }}" alt="">',
      "content.json": JSON.stringify({ plain: { title: "Hello", photo: "constructor" } }),
    },
    /Got "constructor/,
  ],
])("%s is a fault with file, line and reason", async (_, files, wanted) => {
  const faults = await faultsOf(files as Record<string, string>);
  expect(faults.join("\n")).toMatch(wanted);
});

/** Each of these conditions holds in one branch only. */
test.each([
  ["of a choice", '{% if tone == "dark" %}'],
  ["of a boolean", "{% if flag == false %}"],
  ["of a variant", "{% if count == 7 %}"],
  ["of one empty field", "{% if role and author == nil %}"],
  ["of several empty fields", "{% unless author or role %}"],
])("a fault in the branch %s is found", async (_, condition) => {
  const field = (type: string, rest: object = {}) => ({ type, label: "Label", ...rest });
  const fields = {
    title: TITLE,
    tone: field("select", { options: ["light", "dark"], default: "light" }),
    flag: field("boolean", { default: true }),
    count: field("number", { default: 1 }),
    author: field("text"),
    role: field("text"),
  };
  const end = condition.includes("unless") ? "{% endunless %}" : "{% endif %}";
  const uses = "{{ title }}{% if tone and flag and count and author and role %}x{% endif %}";
  const files = (inside: string) => ({
    "template.json": manifestWith(fields),
    "content.json": JSON.stringify({
      plain: { title: "x", author: "x", role: "x" },
      seven: { title: "x", author: "x", count: 7 },
    }),
    "template.html": `${uses}\n${condition}${inside}${end}`,
  });
  expect((await faultsOf(files("{{ titel }}"))).join()).toMatch("template.html:2 undefined variable: titel");
  expect((await faultsOf(files("<p class=x{{ title }}>x</p>"))).join()).toMatch("changes the elements of the document");
  expect((await faultsOf(files('<p style="color: {{ title }}">x</p>'))).join()).toMatch("is in the attribute style");
});

test.each([
  '<img src="{{ entry }}" alt=""><img data-qr="entry" src="{{ entry }}" alt="">',
  '<a href="{{ entry }}">x</a><img data-qr="entry" src="{{ entry }}" alt="">',
  '<img data-qr="entry" src="{{ photo }}" alt=""><b>{% if entry %}x{% endif %}</b>',
])("a QR code outside its marked element is a fault: %s", async (html) => {
  const fields = { title: TITLE, entry: { type: "qr", label: "Entry" }, photo: { type: "image", label: "Photo" } };
  const body = `{{ title }}{% if photo %}x{% endif %}${html}`;
  const faults = await faultsOf({ "template.json": manifestWith(fields), "template.html": body });
  expect(faults).toEqual([
    expect.stringMatching(/html:1 (?:Got \w+="\{\{ entry \}\}", want a QR code as|Got data-qr="entry", want)/),
  ]);
});

test("both elements are told of two that fit a text inside each other, each at its line", async () => {
  const title = { ...TITLE, required: false, fit: { mode: "shrink", maxLines: 2 } };
  const files = {
    "template.json": manifestWith({ title, note: title }),
    "template.html":
      '<h1 data-fit="title">\n<p><b data-fit="note">{{ title }}{{ note }}</b></p></h1>\n<p data-fit="title">{{ title }}</p>',
  };
  expect(await faultsOf(files)).toEqual([
    'social/faulty/template.html:1 Got data-fit="title" around an element with data-fit="note", so the text would be lost. Keep one of the two.',
    'social/faulty/template.html:2 Got data-fit="note" inside an element with data-fit="title", so the text would be lost. Keep one of the two.',
  ]);
});

test("an element with data-fit that begins in two branches and ends once is no fault, and one inside a branch is", async () => {
  const title = { ...TITLE, fit: { mode: "shrink", maxLines: 2 } };
  const [open, other] = ['<div class="a" data-fit="title">', '<div class="b" data-fit="title">'];
  const tone = { type: "select", label: "Tone", options: ["light", "dark"], default: "light" };
  const files = (markup: string) => ({ "template.json": manifestWith({ title, tone }), "template.html": markup });
  const branches = `{% if tone == "dark" %}${open}{% else %}${other}{% endif %}`;
  const root = templatesRoot();
  writeTemplate(root, "card", files(`${branches}{{ title }}</div>`));
  expect((await compileRegistry(root)).faults).toEqual([]);
  expect(await faultsOf(files(`${branches}\n${open}{{ title }}</div></div>`))).toHaveLength(2);
});

test.each(["url(data:image/svg+xml;base64,PHN2Zy8+#dot)", "url( '#dot' )", "url({{ place }}) red"])(
  "a drawing may refer to what the browser draws: %s",
  async (fill) => {
    const markup = `{% assign place = "#dot" %}<p>{{ title }}{{ place }}</p><svg><path id="dot" fill="${fill}"/></svg>`;
    expect((await compileCard({ "template.html": markup })).html).toContain('<path id="dot"');
  },
);
