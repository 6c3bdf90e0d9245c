import type { TemplateSummary } from "#lib/schemas/template.ts";
import inWidth, { thumbnailAddress } from "../../ui/content/thumbnail-address.ts";
import type { Sources } from "../sources.ts";
import { exampleData, exampleTemplate, pictureName, renderCommand } from "./render-command.ts";
import { block, code, parts, plain } from "./table.ts";

const TOKEN_STEP = `## Take a token

A script shows an API token. Make one on the page [Tokens](/tokens), copy its secret, which is shown once, and put it where
the commands below look for it:

\`\`\`sh Put the token into the environment
export PLATEN_TOKEN='svc_…'
\`\`\``;

const NO_CREDENTIALS = `This service asks for no credentials: whoever reaches it may render. An operator closes it with
[accounts and tokens](/docs/operations#accounts-and-tokens).`;

const NO_TEMPLATE = `## Write a template

There is no template here yet, so there is nothing to render. [Writing a template](/docs/templates) shows how to make one.`;

type Call = Pick<Sources, "origin" | "isGuarded"> & { template: TemplateSummary };

/** Its size, in the place of a title, keeps the page from moving when the picture comes. */
function picture({ slug, title, width, height, defaultVariant }: TemplateSummary): string {
  const source = inWidth({ src: thumbnailAddress(slug, defaultVariant), width: 640 });
  return `![${plain(title)}, ${plain(defaultVariant)}](${source} "${width}x${height}")`;
}

function firstPicture({ template, ...where }: Call): string {
  const { slug, title, width, height, defaultVariant } = template;
  const command = renderCommand({ ...where, body: { template: slug }, file: pictureName(slug) });
  return parts(
    "## Render a picture",
    "Paste this into a terminal:",
    block("sh", "Render a picture", command),
    picture(template),
    `${code(pictureName(slug))} is now the template [${plain(title)}](/templates/${slug}) with the content of its variant ${code(defaultVariant)}, ${width} × ${height} pixels. If something was wrong, curl ends with an error, and the file holds [what was wrong](/docs/errors) as JSON.`,
  );
}

function ownPicture({ template, ...where }: Call): string {
  const { slug, variants, defaultVariant } = template;
  const variant = variants.find((name) => name !== defaultVariant) ?? defaultVariant;
  const body = { template: slug, variant, data: exampleData(template) };
  return parts(
    "## Make it yours",
    `Choose another variant, and edit any field; what you leave out keeps the variant's own content. Every field is listed in the [reference of this template](/docs/api/${slug}).`,
    block("sh", "Render with edits", renderCommand({ ...where, body, file: pictureName(slug) })),
    `The [template's page](/templates/${slug}) does the same with a form and a live picture, and gives the request for curl, TypeScript, Python, Go, PHP and Ruby. All templates are in the [gallery](/).`,
  );
}

const RENDERING = `## How rendering works

One request, one picture. The server puts the data into the template, has a real Chromium draw the page, and answers with
the PNG. There is no job to wait for and no file to fetch.

### Template, variant, data

- \`template\` names a design by its slug, such as \`social/quote\`. It has one size, in pixels, and that is the size of the PNG.
- \`variant\` names one of its contents. Without it, the default one is taken.
- \`data\` holds your edits, by field. A value is looked for in the request, then in the variant, then in the field's default. \`""\` or \`null\` empties a field that is not required, and what belongs to it leaves the picture.

Nothing is guessed: an unknown field, a colour that is none or a text that is too long is an error that names every fault at
once, with its place.

### Warnings, and strict handling

A text that had to be made smaller or cut, a character that no font has, an edit that this variant has no place for: such a
picture is answered, and says so in the header \`X-Render-Warnings\` ([what each one means](/docs/errors#warnings)). Who would
rather have no picture than one like that sends \`Prefer: handling=strict\` and gets
[\`invalid_data\`](/docs/errors#invalid_data) with every warning as an issue.`;

function strict({ template, ...where }: Call): string {
  const { slug } = template;
  const options = ["-H 'Prefer: handling=strict'"];
  const body = { template: slug, data: exampleData(template) };
  return block(
    "sh",
    "Refuse a picture with warnings",
    renderCommand({ ...where, body, file: pictureName(slug), options }),
  );
}

const REPEATS = `### The same again

The same request gives the same bytes, on every machine. \`ETag\` names everything that a picture was made of (template, data,
browser and fonts), so it tells you whether a picture that you keep is still the one you would get. \`Cache-Control\` is
\`no-store\`, because what to keep, and how long, is yours to decide. Identical requests at the same time are drawn once, and
repeats come from memory. A picture with an image that was fetched from elsewhere has no \`ETag\` and is always drawn.

### Limits

A request has at most 12,000,000 bytes, images included, which may have 50 megapixels together. When more is asked for than
can be drawn, callers take turns; a request that finds no place in the queue is answered
[\`overloaded\`](/docs/errors#overloaded) at once, with \`Retry-After\`, rather than late.

## Where to go from here

- [API reference](/docs/api): every route, and the exact \`data\` of each template.
- [Errors and warnings](/docs/errors): what each one means, and what to do about it.
- [Writing a template](/docs/templates): a design of your own in four files.
- [Running Platen](/docs/operations): accounts, settings, proxies, monitoring.
- [llms.txt](/llms.txt): all of this for a language model. Every page here is also Markdown: add \`.md\` to its address.`;

/** From nothing to a picture, and how a picture comes about. */
export async function writeQuickStart({ origin, isGuarded, templates }: Sources): Promise<string> {
  const template = exampleTemplate(await templates());
  const call = template && { origin, isGuarded, template };
  const steps = [
    ...(isGuarded ? [TOKEN_STEP] : []),
    ...(call ? [firstPicture(call), ownPicture(call)] : [NO_TEMPLATE]),
  ];
  return parts(
    isGuarded ? "" : NO_CREDENTIALS,
    ...steps.map((step, at) => step.replace("## ", `## ${at + 1}. `)),
    RENDERING,
    call && strict(call),
    REPEATS,
  );
}
