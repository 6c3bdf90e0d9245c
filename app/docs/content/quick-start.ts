import type { TemplateSummary } from "#lib/schemas/template.ts";
import inWidth, { thumbnailAddress } from "../../ui/content/thumbnail-address.ts";
import type { Sources } from "../sources.ts";
import { exampleData, exampleTemplate, pictureName, renderCommand } from "./render-command.ts";
import { block, code, parts, plain } from "./table.ts";

const TOKEN_STEP = `## Create a token

A script sends an API token. Create one on the page [Tokens](/tokens), copy its secret, which is shown once, and put it into
the variable that the commands below use:

\`\`\`sh Put the token into the environment
export PLATEN_TOKEN='svc_…'
\`\`\``;

const NO_CREDENTIALS = `This service needs no credentials: everyone who can reach it can render. An operator can turn on
[accounts and tokens](/docs/operations#accounts-and-tokens).`;

const NO_TEMPLATE = `## Write a template

There is no template here yet, so there is nothing to render. [Writing a template](/docs/templates) shows how to make one.`;

type Call = Pick<Sources, "origin" | "isGuarded"> & { template: TemplateSummary };

/** The title of the image is its size, so that the page does not move when it loads. */
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
    `${code(pictureName(slug))} is now the template [${plain(title)}](/templates/${slug}) with the content of its variant ${code(defaultVariant)}, ${width} × ${height} pixels. If something is wrong, curl exits with an error, and the file holds [the error](/docs/errors) as JSON.`,
  );
}

function ownPicture({ template, ...where }: Call): string {
  const { slug, variants, defaultVariant } = template;
  const variant = variants.find((name) => name !== defaultVariant) ?? defaultVariant;
  const body = { template: slug, variant, data: exampleData(template) };
  return parts(
    "## Make it yours",
    `Choose another variant, and edit any field; a field without an edit keeps the variant's content. The [reference of this template](/docs/api/${slug}) lists every field.`,
    block("sh", "Render with edits", renderCommand({ ...where, body, file: pictureName(slug) })),
    `The [template's page](/templates/${slug}) does the same with a form and a live picture, and shows the request for curl, TypeScript, Python, Go, PHP and Ruby. The [gallery](/) shows all templates.`,
  );
}

const RENDERING = `## How rendering works

One request, one picture. The server puts the data into the template, renders the page in a real Chromium, and answers with
the PNG. There is no job to wait for and no file to fetch.

### Template, variant, data

- \`template\` is the slug of a design, such as \`social/quote\`. The size of the design, in pixels, is the size of the PNG.
- \`variant\` is one of its contents. Without it, the default applies.
- \`data\` holds your edits, by field. The value of a field comes from the request, else from the variant, else from the field's default. \`""\` or \`null\` empties an optional field, and the picture leaves its part out.

Nothing is guessed: an unknown field, an invalid colour or a text that is too long is an error, which names every fault at
once with its place.

### Warnings, and strict handling

A text may have to be made smaller or cut, a character may be in no font, an edit may have no place in this variant. The
picture is still answered, with warnings in the header \`X-Render-Warnings\` ([what each one means](/docs/errors#warnings)).
To get an error instead of such a picture, send \`Prefer: handling=strict\`: the answer is
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

The same request gives the same bytes, on every machine. \`ETag\` identifies everything that a picture was made of (template,
data, browser and fonts), so it tells you whether a stored picture is current. \`Cache-Control\` is \`no-store\`: you decide
what to store, and for how long. Identical concurrent requests are rendered once, and repeats come from memory. A picture with
an image that was fetched from a URL has no \`ETag\` and is always rendered.

### Limits

A request has at most 12,000,000 bytes, including its images, which may have 50 megapixels together. When the service is busy,
callers take turns. A request that finds the queue full is answered [\`overloaded\`](/docs/errors#overloaded) at once, with
\`Retry-After\`.

## Where to go from here

- [API reference](/docs/api): every operation, and the exact \`data\` of each template.
- [Errors and warnings](/docs/errors): what each one means, and what to do about it.
- [Writing a template](/docs/templates): a design of your own in four files.
- [Running Platen](/docs/operations): accounts, settings, proxies, monitoring.
- [llms.txt](/llms.txt): a summary for language models. Every page is also Markdown: add \`.md\` to its address.`;

/** From nothing to a picture, and how rendering works. */
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
