import { afterAll, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { POST } from "../../app/api/service/images/render/route.ts";

afterAll(() => shutDown());

const HOSTILE = [
  "<script>document.body.remove()</script>",
  '<img src="http://127.0.0.1:9/x" onerror=alert(1)>',
  "<iframe src=file:///etc/passwd></iframe>",
  '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">',
  "<base href=//127.0.0.1:9/><link rel=preconnect href=//127.0.0.1:9>",
  "<object data=file:///etc/passwd></object>",
  "</style><style>*{display:none}</style>",
  "${1} {{ 7 | times: 7 }} {% raw %}{% endraw %} $& $1",
];

const { templates } = await getRegistry();
/** The text fields of a template that have room for an attack. */
const textsOf = ({ fields }: Template) =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.type === "text" && field.maxLength >= 8 ? [{ name, maxLength: field.maxLength }] : [],
  );

const PLAIN = "an ordinary text of a few words that is long enough";

/** The text without the hyphens and no-break spaces of its language. */
const withoutTypesetting = (text: string) => text.replaceAll("\u00ad", "").replaceAll(/[\u00a0\u202f]/g, " ");

/** Runs in the page: its elements, and whether it shows the text as it was sent. */
const INSPECT = `(() => ({
  elements: Array.from(document.querySelectorAll("*"), (element) => element.localName)
    .filter((name) => name !== "text-run").sort().join(" "),
  text: (${withoutTypesetting})(document.body.textContent),
}))()`;

test.each(templates)(
  "in $slug, every text field holds any text as text, and nothing is asked for",
  async (template) => {
    const { values } = template.variants[template.defaultVariant] ?? { values: {} };
    const inspect = async (texts: Record<string, string>) => {
      const { html, width, height, sharesPage } = composeDocument(template, { ...values, ...texts });
      const job = { html, width, height, sharesPage, measure: INSPECT };
      const { measured, blockedRequests } = await renderPicture(job);
      expect(blockedRequests).toEqual([]);
      return measured as { elements: string; text: string };
    };
    // Each field has another text, so that each is looked for by itself.
    const edits = (textFor: (maxLength: number) => string) =>
      Object.fromEntries(textsOf(template).map(({ name, maxLength }, at) => [name, `${at} ${textFor(maxLength)}`]));
    const [plainTexts, hostileTexts] = [
      edits(() => PLAIN),
      edits((maxLength) => HOSTILE.join(" ").slice(0, Math.max(maxLength, 60))),
    ];
    const [plain, attacked] = [await inspect(plainTexts), await inspect(hostileTexts)];
    expect(attacked.elements).toBe(plain.elements);
    // A field such as a highlight shows only where another one holds it.
    for (const [name, text] of Object.entries(hostileTexts))
      expect([name, attacked.text.includes(text)]).toEqual([name, plain.text.includes(plainTexts[name] ?? "")]);
  },
);

test("nearly every field shows its text", async () => {
  const fields = templates.flatMap((template) => textsOf(template).map(({ name }) => ({ template, name })));
  const seen = await Promise.all(
    fields.map(async ({ template, name }) => {
      const { values } = template.variants[template.defaultVariant] ?? { values: {} };
      const { html } = composeDocument(template, { ...values, [name]: PLAIN });
      return withoutTypesetting(html).includes(PLAIN);
    }),
  );
  expect(seen.filter(Boolean).length).toBeGreaterThan(fields.length * 0.9);
});

const STYLE_ATTACKS = [
  "red;background:url(//127.0.0.1:9/x)",
  "}*{display:none}",
  "\\75rl(//127.0.0.1:9/x)",
  "</style><b>",
  "expression(1)",
];

test.each(STYLE_ATTACKS)("every template refuses the colour %s", async (value) => {
  const colored = templates.filter(({ fields }) => Object.values(fields).some(({ type }) => type === "color"));
  expect(colored.length).toBeGreaterThan(0);
  for (const { slug, fields } of colored) {
    const data = Object.fromEntries(
      Object.entries(fields).flatMap(([name, { type }]) => (type === "color" ? [[name, value]] : [])),
    );
    const body = JSON.stringify({ template: slug, data });
    const headers = { "Content-Type": "application/json" };
    const response = await POST(new Request("http://in-process/", { method: "POST", headers, body }), {
      params: Promise.resolve({}),
    });
    expect(response.status).toBe(422);
    const { error } = await response.json();
    expect(error.issues.map((issue: { code: string }) => issue.code)).toEqual(
      Object.keys(data).map(() => "invalid_color"),
    );
  }
});
