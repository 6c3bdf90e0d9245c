import type { Assets } from "./assets.ts";
import { elementsOf, type HtmlElement } from "./document-tree.ts";
import type { FieldDeclaration } from "./fields/field-types.ts";
import type { FileFault } from "./template.ts";

export const MARKUP_FILE = "template.html";

/** Elements that run, load or submit something, that move by a clock of their own, or that change what the rest of the document means. */
const REFUSED_ELEMENTS = [
  ..."script noscript iframe frame frameset object embed applet portal fencedframe".split(" "),
  ..."link meta base title style template html head body".split(" "),
  ..."form input button select textarea video audio source track picture foreignobject".split(" "),
  ..."animate animatemotion animatetransform set marquee".split(" "),
];

/** Attributes whose value is an address. */
const ADDRESS_ATTRIBUTES = ["src", "href", "xlink:href", "poster", "background", "data", "action", "cite", "longdesc"];
const REFUSED_ATTRIBUTES = ["srcset", "srcdoc", "formaction", "ping", "http-equiv", "manifest", "autofocus"];

/** Whether free text may not stand in an attribute. */
export function isUnsafeAttribute(name: string): boolean {
  return (
    name === "style" || name.startsWith("on") || ADDRESS_ATTRIBUTES.includes(name) || REFUSED_ATTRIBUTES.includes(name)
  );
}

/** An output of one field and nothing else, such as `{{ photo }}`. */
const SINGLE_OUTPUT = /^\{\{-?\s*([a-zA-Z0-9]+)\s*-?\}\}$/;

/**
 * What changes how emoji are drawn: by its own name, or as what a font sets back in passing where it is important. The browser
 * would keep what it draws so, for documents of other templates.
 */
const EMOJI_STYLE = /font-variant-emoji|(?:^|;)\s*(?:all|font|font-variant)\s*:[^;]*!\s*important/i;

type Edit = { start: number; end: number; text: string };
type Attribute = HtmlElement["attrs"][number];
type Context = { assets: Assets; fields: Record<string, FieldDeclaration>; faults: FileFault[]; edits: Edit[] };

function fault(element: HtmlElement, reason: string): FileFault {
  return { file: MARKUP_FILE, line: element.sourceCodeLocation?.startLine ?? 1, reason };
}

/** The name as it is written: parse5 splits `xlink:href` of SVG in two. */
function fullName({ prefix, name }: Attribute): string {
  return prefix ? `${prefix}:${name}` : name;
}

function checkAddress(element: HtmlElement, attribute: Attribute, { assets, fields, faults, edits }: Context): void {
  const name = fullName(attribute);
  const { value } = attribute;
  const asset = assets[value.replace(/^\.\//, "")];
  const place = element.sourceCodeLocation?.attrs?.[name];
  const field = SINGLE_OUTPUT.exec(value)?.[1];
  if (asset !== undefined && place)
    edits.push({ start: place.startOffset, end: place.endOffset, text: `${name}="${asset}"` });
  else if (!(value.startsWith("#") || value.startsWith("data:") || (field && fields[field]?.type === "image"))) {
    faults.push(
      fault(
        element,
        `Got ${name}="${value.slice(0, 60)}", want an image field such as {{ photo }} or a file of the assets folder.`,
      ),
    );
  }
}

function checkAttribute(element: HtmlElement, attribute: Attribute, context: Context): void {
  const { value } = attribute;
  const name = fullName(attribute);
  if (name.startsWith("on") || REFUSED_ATTRIBUTES.includes(name)) {
    context.faults.push(fault(element, `The attribute ${name} is refused: a template draws, and does nothing else.`));
  } else if (ADDRESS_ATTRIBUTES.includes(name)) {
    checkAddress(element, attribute, context);
  } else if (name === "style" && /url\(|image-set\(|\\/i.test(value)) {
    context.faults.push(fault(element, "Got an address in a style attribute, want it in style.css."));
  } else if (name === "style" && EMOJI_STYLE.test(value)) {
    context.faults.push(
      fault(element, "Got font-variant-emoji or an important font in a style attribute, want neither of them."),
    );
  } else if (name === "data-fit") {
    const declaration = context.fields[value];
    if (declaration?.type !== "text" || !declaration.fit) {
      context.faults.push(fault(element, `data-fit="${value}" wants the name of a text field that declares "fit".`));
    }
  }
}

function applyEdits(source: string, edits: Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end), source);
}

/** Outputs that stand in an attribute without quotes, where a space in a value would begin the next attribute. */
function unquotedOutputs(source: string): FileFault[] {
  return [...source.matchAll(/<[a-z][^<>]*?\s[\w:-]+=\s*\{\{/gi)].map(({ 0: match, index }) => {
    const line = source.slice(0, index + match.length).split("\n").length;
    return { file: MARKUP_FILE, line, reason: "Got an output in an attribute without quotes, want quotes around it." };
  });
}

/** Fields that are declared and never drawn, or that declare a fit and have no element to fit. */
function forgottenFields(source: string, fields: Record<string, FieldDeclaration>): FileFault[] {
  return Object.entries(fields).flatMap(([name, declaration]) => {
    if (!new RegExp(`\\{[{%][^}]*\\b${name}\\b`).test(source)) {
      return { file: MARKUP_FILE, line: 1, reason: `The field "${name}" is declared and never used.` };
    }
    const isFitted = declaration.type === "text" && declaration.fit !== undefined;
    return isFitted && !source.includes(`data-fit="${name}"`)
      ? {
          file: MARKUP_FILE,
          line: 1,
          reason: `The field "${name}" declares "fit", and no element has data-fit="${name}".`,
        }
      : [];
  });
}

type CompileMarkup = { source: string; assets: Assets; fields: Record<string, FieldDeclaration> };

/** Checks the Liquid source of a body and inlines its assets. */
export function compileMarkup({ source, assets, fields }: CompileMarkup): { html: string; faults: FileFault[] } {
  const context: Context = {
    assets,
    fields,
    faults: [...unquotedOutputs(source), ...forgottenFields(source, fields)],
    edits: [],
  };
  for (const element of elementsOf(source)) {
    if (REFUSED_ELEMENTS.includes(element.tagName.toLowerCase())) {
      context.faults.push(fault(element, `<${element.tagName}> is refused: a template draws, and does nothing else.`));
    }
    for (const attribute of element.attrs) checkAttribute(element, attribute, context);
  }
  return { html: applyEdits(source, context.edits), faults: context.faults };
}
