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

/** Whether this is where a QR code is drawn: it is measured there, and nowhere else. */
function drawsCode(element: HtmlElement, field: string): boolean {
  const attribute = (wanted: string) => element.attrs.find(({ name }) => name === wanted)?.value ?? "";
  return (
    element.tagName === "img" && attribute("data-qr") === field && SINGLE_OUTPUT.exec(attribute("src"))?.[1] === field
  );
}

function checkAddress(element: HtmlElement, attribute: Attribute, { assets, fields, faults, edits }: Context): void {
  const name = fullName(attribute);
  const { value } = attribute;
  const asset = assets[value.replace(/^\.\//, "")];
  const place = element.sourceCodeLocation?.attrs?.[name];
  const field = SINGLE_OUTPUT.exec(value)?.[1];
  if (asset !== undefined && place)
    edits.push({ start: place.startOffset, end: place.endOffset, text: `${name}="${asset}"` });
  else if (field && fields[field]?.type === "qr") {
    if (name !== "src" || !drawsCode(element, field))
      faults.push(
        fault(
          element,
          `Got ${name}="{{ ${field} }}", want a QR code as <img data-qr="${field}" src="{{ ${field} }}">.`,
        ),
      );
  } else if (!(value.startsWith("#") || value.startsWith("data:") || (field && fields[field]?.type === "image"))) {
    faults.push(
      fault(
        element,
        `Got ${name}="${value.slice(0, 60)}", want an image field such as {{ photo }} or a file of the assets folder.`,
      ),
    );
  }
}

/** What tells the element of a field to what fits and measures it. */
function checkMark(element: HtmlElement, { name, value }: Attribute, { fields, faults }: Context): void {
  const declaration = fields[value];
  if (name === "data-fit" && (declaration?.type !== "text" || !declaration.fit))
    faults.push(fault(element, `data-fit="${value}" wants the name of a text field that declares "fit".`));
  if (name === "data-qr" && (declaration?.type !== "qr" || !drawsCode(element, value)))
    faults.push(
      fault(element, `data-qr="${value}" wants the name of a qr field, on the <img> that has it as its src.`),
    );
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
  } else checkMark(element, attribute, context);
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

/** The attribute that the element of a field must have, for it to be fitted or measured. */
function wantedMark(name: string, declaration: FieldDeclaration): { mark: string; because: string } | undefined {
  if (declaration.type === "text" && declaration.fit) return { mark: `data-fit="${name}"`, because: 'declares "fit"' };
  if (declaration.type === "qr") return { mark: `data-qr="${name}"`, because: "is a QR code" };
  return undefined;
}

/** Fields that are declared and never drawn, or that have no element to fit or measure. */
function forgottenFields(source: string, fields: Record<string, FieldDeclaration>): FileFault[] {
  return Object.entries(fields).flatMap(([name, declaration]) => {
    if (!new RegExp(`\\{[{%][^}]*\\b${name}\\b`).test(source)) {
      return { file: MARKUP_FILE, line: 1, reason: `The field "${name}" is declared and never used.` };
    }
    const wanted = wantedMark(name, declaration);
    return wanted && !source.includes(wanted.mark)
      ? {
          file: MARKUP_FILE,
          line: 1,
          reason: `The field "${name}" ${wanted.because}, and no element has ${wanted.mark}.`,
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
