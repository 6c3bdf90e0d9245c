import type { Assets } from "./assets.ts";
import { elementsOf, type HtmlElement } from "./document-tree.ts";
import type { FieldDeclaration } from "./fields/field-types.ts";
import { codeMark, codeOf, misplacedCode, showsCode, wrongMark } from "./markup/code-elements.ts";
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

/** An output of exactly one field, such as `{{ photo }}`. */
const SINGLE_OUTPUT = /^\{\{-?\s*([a-zA-Z0-9]+)\s*-?\}\}$/;

/**
 * Declarations that change how emoji are drawn: the property itself, or an `!important` shorthand that resets it.
 * Chromium caches the shapes of words, so such a declaration would also change pictures of other templates.
 */
const EMOJI_STYLE = /font-variant-emoji|(?:^|;)\s*(?:all|font|font-variant)\s*:[^;]*!\s*important/i;

type Edit = { start: number; end: number; text: string };
type Attribute = HtmlElement["attrs"][number];
type Context = { assets: Assets; fields: Record<string, FieldDeclaration>; faults: FileFault[]; edits: Edit[] };

function fault(element: HtmlElement, reason: string): FileFault {
  return { file: MARKUP_FILE, line: element.sourceCodeLocation?.startLine ?? 1, reason };
}

/** The name as written in the source. parse5 splits `xlink:href` of SVG into prefix and name. */
function fullName({ prefix, name }: Attribute): string {
  return prefix ? `${prefix}:${name}` : name;
}

function checkAddress(element: HtmlElement, attribute: Attribute, { assets, fields, faults, edits }: Context): void {
  const name = fullName(attribute);
  const { value } = attribute;
  const asset = assets[value.replace(/^\.\//, "")];
  const place = element.sourceCodeLocation?.attrs?.[name];
  const field = SINGLE_OUTPUT.exec(value)?.[1];
  const code = codeOf(value, fields);
  if (asset !== undefined && place)
    edits.push({ start: place.startOffset, end: place.endOffset, text: `${name}="${asset}"` });
  else if (code) {
    if (name !== "src" || !showsCode(element, code, fields))
      faults.push(fault(element, misplacedCode({ name, value }, code, fields)));
  } else if (!(value.startsWith("#") || value.startsWith("data:") || (field && fields[field]?.type === "image"))) {
    faults.push(
      fault(
        element,
        `Got ${name}="${value.slice(0, 60)}", want an image field such as {{ photo }} or a file such as assets/logo.svg.`,
      ),
    );
  }
}

/** Checks the attributes that mark an element as the one to fit or to measure for a field. */
function checkMark(element: HtmlElement, { name, value }: Attribute, { fields, faults }: Context): void {
  const declaration = fields[value];
  if (name === "data-fit" && (declaration?.type !== "text" || !declaration.fit))
    faults.push(fault(element, `Got data-fit="${value}", want the name of a text field that declares "fit".`));
  const reason = wrongMark(element, { name, value }, fields);
  if (reason !== undefined) faults.push(fault(element, reason));
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
function wantedMark(name: string, declaration: FieldDeclaration): { mark: string; because: string } | undefined {
  if (declaration.type === "text" && declaration.fit) return { mark: `data-fit="${name}"`, because: 'declares "fit"' };
  return codeMark(name, declaration);
}

/** Finds fields that the markup never uses, or that lack the element to fit or to measure. */
function unusedFields(source: string, fields: Record<string, FieldDeclaration>): FileFault[] {
  return Object.entries(fields).flatMap(([name, declaration]) => {
    if (!new RegExp(`\\{[{%][^}]*\\b${name}\\b`).test(source)) {
      return { file: MARKUP_FILE, line: 1, reason: `The field "${name}" is declared but not used.` };
    }
    const wanted = wantedMark(name, declaration);
    return wanted && !source.includes(wanted.mark)
      ? {
          file: MARKUP_FILE,
          line: 1,
          reason: `The field "${name}" ${wanted.because}, but no element has ${wanted.mark}.`,
        }
      : [];
  });
}

type CompileMarkup = { source: string; assets: Assets; fields: Record<string, FieldDeclaration> };

/** Checks the Liquid source of a document body and inlines the assets that it names. */
export function compileMarkup({ source, assets, fields }: CompileMarkup): { html: string; faults: FileFault[] } {
  const context: Context = {
    assets,
    fields,
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
