import type { Assets } from "./assets.ts";
import { elementsOf, type HtmlElement } from "./document-tree.ts";
import { type FieldDeclaration, fitOf, type SimpleDeclaration } from "./fields/field-types.ts";
import { ITEM_INDEX } from "./lists/item-index.ts";
import { declaredLeaves, leafDeclaration } from "./lists/leaf-fields.ts";
import { itemOfList, withListNames } from "./lists/list-scopes.ts";
import { codeMark, codeOf, misplacedCode, type Names, showsCode, wrongMark } from "./markup/code-elements.ts";
import { unwrittenValues } from "./markup/value-outputs.ts";
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
const REFUSED_TAG = /<(frame|frameset|html|head|body)(?=[\s/>])/gi;

/** Attributes whose value is an address. */
const ADDRESS_ATTRIBUTES = ["src", "href", "xlink:href", "poster", "background", "data", "action", "cite", "longdesc"];
const REFUSED_ATTRIBUTES = ["srcset", "srcdoc", "formaction", "ping", "http-equiv", "manifest", "autofocus"];

/** Whether an attribute could do harm if it held free text. */
export function isUnsafeAttribute(name: string): boolean {
  return (
    name === "style" || name.startsWith("on") || ADDRESS_ATTRIBUTES.includes(name) || REFUSED_ATTRIBUTES.includes(name)
  );
}

/** An output of exactly one field, such as `{{ photo }}` or `{{ row.photo }}`. */
const SINGLE_OUTPUT = /^\{\{-?\s*([\w-]+(?:\.\w+)?)\s*-?\}\}$/;

/**
 * Declarations that change how emoji are drawn: the property itself, or an `!important` shorthand that resets it.
 * Chromium caches the shapes of words, so such a declaration would also change pictures of other templates.
 */
const EMOJI_STYLE = /font-variant-emoji|(?:^|;)\s*(?:all|font|font-variant)\s*:[^;]*!\s*important/i;

type Edit = { start: number; end: number; text: string };
type Attribute = HtmlElement["attrs"][number];
type Fields = Record<string, FieldDeclaration>;
type Context = {
  source: string;
  assets: Assets;
  fields: Fields;
  /** The fields with one value, those of items as `rows.name`. */
  leaves: Record<string, SimpleDeclaration>;
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

function checkAddress(element: HtmlElement, attribute: Attribute, context: Context): void {
  const { assets, leaves, faults, edits } = context;
  const name = fullName(attribute);
  const { value } = attribute;
  const asset = assets[value.replace(/^\.\//, "")];
  const place = element.sourceCodeLocation?.attrs?.[name];
  const names = namesAt(element, context);
  const field = SINGLE_OUTPUT.exec(names.written(value))?.[1];
  const code = codeOf(value, names);
  if (asset !== undefined && place)
    edits.push({ start: place.startOffset, end: place.endOffset, text: `${name}="${asset}"` });
  else if (code) {
    if (name !== "src" || !showsCode(element, code, names))
      faults.push(fault(element, misplacedCode({ name, value }, code, names)));
  } else if (!(value.startsWith("#") || value.startsWith("data:") || (field && leaves[field]?.type === "image"))) {
    faults.push(
      fault(
        element,
        `Got ${name}="${value.slice(0, 60)}", want an image field such as {{ photo }} or a file such as assets/logo.svg.`,
      ),
    );
  }
}

/** Attributes whose value is the name of a field. */
const MARKS = ["data-fit", "data-image", "data-qr", "data-barcode", "data-outline"];

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
  const { fields, faults } = context;
  if (name === "data-fit" && !fitOf(leafDeclaration(fields, value)))
    faults.push(fault(element, `Got data-fit="${value}", want the name of a field that declares "fit".`));
  const reason = wrongMark(element, { name, value }, namesAt(element, context));
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
  } else checkMark(element, attribute, context);
}

function applyEdits(source: string, edits: Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end), source);
}

/** Finds outputs in attributes without quotes, where a space in a value would start another attribute. */
function unquotedOutputs(source: string): FileFault[] {
  const reason = "Got an output in an attribute without quotes. Put quotes around it.";
  return [...source.matchAll(/<[a-z][^<>]*?\s[\w:-]+=\s*\{\{/gi)].map(({ 0: match, index }) => ({
    file: MARKUP_FILE,
    line: lineAt(source, index + match.length),
    reason,
  }));
}

function refusal(tag: string): string {
  return `<${tag}> is refused: a template may only draw. Remove it.`;
}

function refusedTags(source: string): FileFault[] {
  return [...source.matchAll(REFUSED_TAG)].map(({ 1: tag = "", index }) => ({
    file: MARKUP_FILE,
    line: lineAt(source, index),
    reason: refusal(tag),
  }));
}

/** The attribute that marks the element to fit or to measure for a field. */
function wantedMark(name: string, declaration: SimpleDeclaration): { mark: string; because: string } | undefined {
  if (fitOf(declaration)) return { mark: `data-fit="${name}"`, because: 'declares "fit"' };
  return codeMark(name, declaration);
}

/** Finds fields that the markup never uses, or that lack the element to fit or to measure. */
function unusedFields(source: string, fields: Record<string, FieldDeclaration>): FileFault[] {
  const isUsed = (name: string) => new RegExp(`\\{[{%][^}]*\\b${name}\\b`).test(source);
  const faultOf = (reason: string): FileFault => ({ file: MARKUP_FILE, line: 1, reason });
  const leaves = declaredLeaves(fields).flatMap(([key, declaration]) => {
    if (!isUsed(key.split(".").at(-1) ?? "")) return faultOf(`The field "${key}" is declared but not used.`);
    const wanted = wantedMark(key, declaration);
    const isMissing = wanted && !source.includes(wanted.mark);
    return isMissing ? faultOf(`The field "${key}" ${wanted.because}, but no element has ${wanted.mark}.`) : [];
  });
  const lists = Object.entries(fields).flatMap(([name, declaration]) => {
    if (declaration.type !== "list") return [];
    if (!isUsed(name)) return faultOf(`The list "${name}" is declared but not used.`);
    if (declaration.overflow !== "more" || new RegExp(`\\b${name}\\.more\\b`).test(source)) return [];
    return faultOf(
      `The list "${name}" declares "overflow": "more", but its count is not used. Write it, such as {% if ${name}.more > 0 %}{{ ${name}.more | local_more }}{% endif %}.`,
    );
  });
  return [...leaves, ...lists];
}

type CompileMarkup = { source: string; assets: Assets; fields: Record<string, FieldDeclaration> };

/** Checks the Liquid source of a document body and inlines the assets that it names. */
export function compileMarkup({ source, assets, fields }: CompileMarkup): { html: string; faults: FileFault[] } {
  const context: Context = {
    source,
    assets,
    fields,
    leaves: Object.fromEntries(declaredLeaves(fields)),
    faults: [...unquotedOutputs(source), ...unusedFields(source, fields), ...refusedTags(source)],
    edits: [],
  };
  context.faults.push(...unwrittenValues(source, fields));
  for (const element of elementsOf(source)) {
    if (REFUSED_ELEMENTS.includes(element.tagName.toLowerCase())) {
      context.faults.push(fault(element, refusal(element.tagName)));
    }
    for (const attribute of element.attrs) checkAttribute(element, attribute, context);
  }
  return { html: applyEdits(source, context.edits), faults: context.faults };
}
