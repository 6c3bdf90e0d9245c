import { type Assets, findAsset, missingAsset } from "./assets.ts";
import { elementsOf, type HtmlElement } from "./document-tree.ts";
import { declarationsOf, familyFaults } from "./faults/font-families.ts";
import type { FieldDeclaration, SimpleDeclaration } from "./fields/field-types.ts";
import { ITEM_INDEX } from "./lists/item-index.ts";
import { declaredLeaves, leafDeclaration } from "./lists/leaf-fields.ts";
import { itemOfList, withListNames } from "./lists/list-scopes.ts";
import { codeOf, misplacedCode, type Names, showsCode, wrongMark } from "./markup/code-elements.ts";
import { MARKS, misplacedMark } from "./markup/marks.ts";
import { nestedFits } from "./markup/nested-fits.ts";
import { unbalancedTags } from "./markup/unbalanced-tags.ts";
import { unquotedOutputs } from "./markup/unquoted-outputs.ts";
import { unusedFields } from "./markup/unused-fields.ts";
import { unwrittenValues } from "./markup/value-outputs.ts";
import { missingBrandProperties } from "./shared/brand-properties.ts";
import { type FileFault, MARKUP_FILE } from "./template.ts";
import { lineAt } from "./template-files.ts";

/** Elements that run, load, submit or animate something, or that change the meaning of the rest of the document. */
const REFUSED_ELEMENTS = [
  ..."script noscript iframe object embed applet portal fencedframe".split(" "),
  ..."link meta base title style template".split(" "),
  ..."form input button select textarea video audio source track picture foreignobject".split(" "),
  ..."animate animatemotion animatetransform set marquee".split(" "),
];

/** Tags that the parser of a body drops or merges into the document, so that they are missing among its elements. */
const DROPPED_TAGS = ["frame", "frameset", "html", "head", "body"];
const REFUSED_TAG = new RegExp(`<(${DROPPED_TAGS.join("|")})(?=[\\s/>])`, "gi");

/** Attributes whose value is an address. */
const ADDRESS_ATTRIBUTES = ["src", "href", "xlink:href", "poster", "background", "data", "action", "cite", "longdesc"];
const REFUSED_ATTRIBUTES = ["srcset", "srcdoc", "formaction", "ping", "http-equiv", "manifest", "autofocus"];

/** Whether an attribute could do harm if it held free text. */
export function isUnsafeAttribute(name: string): boolean {
  return (
    name === "style" || name.startsWith("on") || ADDRESS_ATTRIBUTES.includes(name) || REFUSED_ATTRIBUTES.includes(name)
  );
}

/** An output of exactly one value, such as `{{ photo }}`, `{{ row.photo }}` or `{{ row.sky.picture }}`. */
const SINGLE_OUTPUT = /^\{\{-?\s*([\w-]+(?:\.\w+){0,2})\s*-?\}\}$/;

/** An output of the logo of the brand. */
const LOGO_OUTPUT = /^\{\{-?\s*brand\.logo\s*-?\}\}$/;

/**
 * Declarations that change how emoji are drawn: the property itself, or an `!important` shorthand that resets it.
 * Chromium caches the shapes of words, so such a declaration would also change pictures of other templates.
 */
const EMOJI_STYLE = /font-variant-emoji|(?:^|;)\s*(?:all|font|font-variant)\s*:[^;]*!\s*important/i;

/**
 * An attribute of a drawing that refers to something outside of the document, such as `fill="url(assets/dots.svg#dot)"`. The browser draws
 * what a data: URL holds, and an output may be an id.
 */
const OUTER_REFERENCE = /url\(\s*["']?(?!["'#\s{]|data:)/i;

type Edit = { start: number; end: number; text: string };
type Attribute = HtmlElement["attrs"][number];
type Fields = Record<string, FieldDeclaration>;
type Context = {
  source: string;
  assets: Assets;
  fields: Fields;
  /** The fields with one value, those of items as `rows.name`. */
  leaves: Record<string, SimpleDeclaration>;
  /** Whether the brand has a logo, which the markup may then use as an address. */
  hasLogo?: boolean;
  /** The font families that the style sheet declares with `@font-face`. */
  families: string[];
  /** The custom properties of the brand that are declared. */
  brandProperties: string[];
  faults: FileFault[];
  edits: Edit[];
};

function fault(element: HtmlElement, reason: string): FileFault {
  return { file: MARKUP_FILE, line: element.sourceCodeLocation?.startLine ?? 1, reason };
}

/** The name as written in the source. parse5 splits `xlink:href` of SVG into prefix and name. */
function fullName({ prefix, name }: Attribute): string {
  return prefix ? `${prefix}:${name}` : name;
}

/** The declared fields by the names that the markup may use, and outputs with these names. */
function namesAt(element: HtmlElement, { source, fields, leaves }: Context): Names {
  const offset = element.sourceCodeLocation?.startOffset ?? 0;
  return { fields: leaves, written: (value) => withListNames(value, { source, fields, offset }) };
}

/** Whether an output is an image field, such as `{{ photo }}`, or the picture of an option, such as `{{ sky.picture }}`. */
function showsImage(output: string | undefined, { leaves }: Context): boolean {
  const fieldOf = (name: string) => (Object.hasOwn(leaves, name) ? leaves[name] : undefined);
  if (output === undefined) return false;
  const options = output.endsWith(".picture") ? fieldOf(output.replace(/\.picture$/, "")) : undefined;
  return fieldOf(output)?.type === "image" || (options?.type === "select" && options.pictures !== undefined);
}

/** Whether an address is one of the document itself: a reference, embedded data, an image, or the logo. */
function isDrawable(value: string, output: string | undefined, context: Context): boolean {
  const isLogo = context.hasLogo === true && LOGO_OUTPUT.test(value);
  return value.startsWith("#") || value.startsWith("data:") || isLogo || showsImage(output, context);
}

function checkAddress(element: HtmlElement, attribute: Attribute, context: Context): void {
  const { assets, faults, edits } = context;
  const name = fullName(attribute);
  const { value } = attribute;
  const asset = findAsset(assets, value.replace(/^\.\//, ""));
  const place = element.sourceCodeLocation?.attrs?.[name];
  const names = namesAt(element, context);
  const output = SINGLE_OUTPUT.exec(names.written(value))?.[1];
  const code = codeOf(value, names);
  if (element.tagName === "use" && !value.startsWith("#"))
    faults.push(
      fault(
        element,
        `Got <use ${name}="${value.slice(0, 60)}">, which draws nothing. Want an element of the markup such as #star, or <image>.`,
      ),
    );
  else if (asset !== undefined && place)
    edits.push({ start: place.startOffset, end: place.endOffset, text: `${name}="${asset}"` });
  else if (code) {
    if (name !== "src" || !showsCode(element, code, names))
      faults.push(fault(element, misplacedCode({ name, value }, code, names)));
  } else if (!isDrawable(value, output, context)) {
    faults.push(
      fault(
        element,
        missingAsset(value, assets) ??
          `Got ${name}="${value.slice(0, 60)}", want an image field such as {{ photo }}, the picture of an option such as {{ sky.picture }}, or a file such as assets/logo.svg.`,
      ),
    );
  }
}

/** Gives a mark such as `data-fit="rows.name"` the place of its item, which tells the elements apart. */
function markItem(element: HtmlElement, { name, value }: Attribute, { source, fields, faults, edits }: Context): void {
  const [list = "", inner] = value.split(".");
  const place = element.sourceCodeLocation?.attrs?.[name];
  if (inner === undefined || !place || !MARKS.includes(name) || !leafDeclaration(fields, value)) return;
  const variable = itemOfList(source, { fields, offset: place.startOffset, list });
  if (variable === undefined)
    faults.push(fault(element, `Got ${name}="${value}" outside a loop, want it inside {% for item in ${list} %}.`));
  else {
    const text = `${name}="${list}[{{ ${variable}.${ITEM_INDEX} }}].${inner}"`;
    edits.push({ start: place.startOffset, end: place.endOffset, text });
  }
}

/** Checks the attributes that mark an element as the one to fit or to measure for a field. */
function checkMark(element: HtmlElement, attribute: Attribute, context: Context): void {
  const { name, value } = attribute;
  const { leaves, faults } = context;
  const reason =
    misplacedMark({ name, value }, leaves) ?? wrongMark(element, { name, value }, namesAt(element, context));
  if (reason !== undefined) faults.push(fault(element, reason));
  markItem(element, attribute, context);
}

function checkAttribute(element: HtmlElement, attribute: Attribute, context: Context): void {
  const { value } = attribute;
  const name = fullName(attribute);
  if (name.startsWith("on") || REFUSED_ATTRIBUTES.includes(name)) {
    context.faults.push(fault(element, `The attribute ${name} is refused: a template may only draw. Remove it.`));
  } else if (ADDRESS_ATTRIBUTES.includes(name)) {
    checkAddress(element, attribute, context);
  } else if (name === "style" && /url\(|image-set\(|\\/i.test(value)) {
    context.faults.push(
      fault(element, "Got an address or an escape in a style attribute. Move the declaration to style.css."),
    );
  } else if (name === "style" && EMOJI_STYLE.test(value)) {
    context.faults.push(
      fault(element, "Got font-variant-emoji or an !important font in a style attribute. Remove it."),
    );
  } else if (name === "style" || name === "font-family") {
    const declarations = name === "style" ? declarationsOf(value) : [{ property: name, value }];
    for (const { reason } of missingBrandProperties(value, context.brandProperties))
      context.faults.push(fault(element, reason));
    for (const declaration of declarations)
      for (const reason of familyFaults(declaration, context.families)) context.faults.push(fault(element, reason));
  } else if (OUTER_REFERENCE.test(value) && element.namespaceURI.endsWith("/svg")) {
    const reason = `Got ${name}="${value.slice(0, 60)}", which has no effect. Want an element of the markup such as url(#dot).`;
    context.faults.push(fault(element, reason));
  } else checkMark(element, attribute, context);
}

function applyEdits(source: string, edits: Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end), source);
}

/** What to do instead of writing a whole document, which authors of other templates are used to. */
const INSTEAD: Record<string, string> = {
  html: "the file is the content of <body>. Remove the tag, and keep what is inside.",
  head: "the file is the content of <body>. Remove it with what is inside.",
  body: "the file is the content of <body>. Remove the tag, and keep what is inside.",
  style: "style.css has the styles. Move the rules there.",
  link: "style.css is used without one. Remove it.",
  title: "template.json has the title. Remove it.",
};

function refusal(tag: string): string {
  const instead = INSTEAD[tag.toLowerCase()];
  if (instead !== undefined) return `<${tag}> is refused: ${instead}`;
  return `<${tag}> is refused: a template may only draw. Remove it.`;
}

function refusedTags(source: string): FileFault[] {
  return [...source.matchAll(REFUSED_TAG)].map(({ 1: tag = "", index }) => ({
    file: MARKUP_FILE,
    line: lineAt(source, index),
    reason: refusal(tag),
  }));
}

type CompileMarkup = Pick<Context, "source" | "assets" | "fields" | "hasLogo" | "families" | "brandProperties">;

/** Checks the Liquid source of a document body and inlines the assets that it names. */
export function compileMarkup(given: CompileMarkup): { html: string; faults: FileFault[] } {
  const { source, fields } = given;
  const context: Context = {
    ...given,
    leaves: Object.fromEntries(declaredLeaves(fields)),
    faults: [
      ...unquotedOutputs(source),
      ...unusedFields(source, fields),
      ...refusedTags(source),
      ...unbalancedTags(source, [...REFUSED_ELEMENTS, ...DROPPED_TAGS]),
    ],
    edits: [],
  };
  context.faults.push(...unwrittenValues(source, fields), ...nestedFits(source));
  for (const element of elementsOf(source)) {
    if (REFUSED_ELEMENTS.includes(element.tagName.toLowerCase())) {
      context.faults.push(fault(element, refusal(element.tagName)));
      // Its address is no second fault.
      continue;
    }
    for (const attribute of element.attrs) checkAttribute(element, attribute, context);
  }
  return { html: applyEdits(source, context.edits), faults: context.faults };
}
