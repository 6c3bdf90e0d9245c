import { isShared } from "#lib/templates/shared/shared-files.ts";
import { NEED_OF, NEEDS } from "./idle-needs.ts";
import {
  conditionalClasses,
  decidesElsewhere,
  fixedClasses,
  type JudgedRule,
  type Pseudo,
  rulesOf,
  type Target,
} from "./judged-rules.ts";
import type { Names, SeenRule, SeenStyles } from "./look-in-page.ts";
import type { Notice, SourceText } from "./notice.ts";

/** Values that reset a property. They may stand anywhere. */
const RESETS = /^(?:0[a-z%]*|auto|none|normal|static|initial|inherit|unset|revert(?:-layer)?|start|stretch)$/i;

/** Properties that decide whether other declarations have an effect. */
const LAYOUT = /^(?:display|position|column-count|column-width|columns|overflow(?:-[xy])?)$/;

/** Properties that decide whether a text may have several lines. */
const WRAPPING = /^(?:white-space|text-wrap|text-wrap-mode)$/;

/** A rule that decides a property of elements that the pictures may not show, or not without it. */
type Doubt = { targets: Target[]; properties: string[] };

/**
 * The rules by which other values of the fields may change what the pictures show: one that no picture has an element of, and one
 * with a condition that all pictures meet.
 */
function doubtsAbout(deciding: RegExp, sources: SourceText[], seen: SeenStyles[]): Doubt[] {
  const conditional = conditionalClasses(sources);
  const hasCondition = ({ targets, isConditional }: JudgedRule) =>
    isConditional ||
    targets.some(
      ({ selector }) =>
        /:(?!root\b)/.test(selector) || conditional.some((name) => new RegExp(`\\.${name}(?![\\w-])`).test(selector)),
    );
  return rulesOf(sources).flatMap((rule, index) => {
    const properties = rule.declarations.map(({ property }) => property).filter((property) => deciding.test(property));
    const matched = seen.filter(({ rules }) => rules[index]?.elements.length).length;
    const isCertain = matched > 0 && (matched < seen.length || !hasCondition(rule));
    return properties.length === 0 || isCertain ? [] : [{ targets: rule.targets, properties }];
  });
}

/** Whether a selector may select an element with these names, whatever the values of the fields are. */
function maySelect(selector: string, { tag, classes }: Names, fixed: string[]): boolean {
  return selector.split(",").some((part) => {
    const subject =
      part
        .replaceAll(/\([^)]*\)|\[[^\]]*\]/g, "")
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? "";
    const wantedTag = /^[a-z][\w-]*/i.exec(subject)?.[0];
    const wanted = [...subject.matchAll(/\.([\w-]+)/g)].map(([, name = ""]) => name);
    if (wantedTag !== undefined && wantedTag !== tag) return false;
    return wanted.every((name) => classes.includes(name) || !fixed.includes(name));
  });
}

/** Whether a rule that the pictures do not show, or not all of them, may change whether texts wrap. */
function isDoubted(sources: SourceText[], seen: SeenStyles[]): boolean {
  return doubtsAbout(WRAPPING, sources, seen).some(({ targets }) => targets.some(({ pseudo }) => pseudo === ""));
}

/** The fields with `fit` whose elements never have more than one line, because their texts may not wrap. */
export function oneLineFields(sources: SourceText[], seen: SeenStyles[]): string[] {
  if (decidesElsewhere(sources, WRAPPING) || isDoubted(sources, seen)) return [];
  const found = seen.flatMap(({ wraps }) => Object.entries(wraps));
  const nameOf = (id: string) => id.replace(/\[\d+\]/, "");
  const wrapping = found.filter(([, mayWrap]) => mayWrap).map(([id]) => nameOf(id));
  return [...new Set(found.map(([id]) => nameOf(id)))].filter((name) => !wrapping.includes(name));
}

const nameOf = ({ own, pseudo }: { own: Names; pseudo: Pseudo }) =>
  pseudo === "" ? `<${own.tag}>` : `"${own.tag}${pseudo}"`;

/** Tells whether a rule that the pictures do not show may change the layout of an element, or of the one around it. */
function doubtTest(sources: SourceText[], seen: SeenStyles[]): (element: SeenRule["elements"][number]) => boolean {
  const doubts = doubtsAbout(LAYOUT, sources, seen);
  const fixed = fixedClasses(sources);
  return ({ own, around, pseudo }) =>
    doubts.some(({ targets, properties }) =>
      targets.some(
        (target) =>
          (target.pseudo === pseudo && maySelect(target.selector, own, fixed)) ||
          (target.pseudo === "" && properties.includes("display") && maySelect(target.selector, around, fixed)),
      ),
    );
}

/**
 * Finds declarations that have no effect on any of their elements in any picture, such as `width` on an inline element. It is silent
 * where other values of the fields might give them one.
 * @param sources the files of the template that the page was asked about
 * @param seen what each picture told
 */
export function idleStyles(sources: SourceText[], seen: SeenStyles[]): Notice[] {
  if (decidesElsewhere(sources, LAYOUT)) return [];
  const isDoubtful = doubtTest(sources, seen);
  return rulesOf(sources).flatMap(({ file, declarations }, index) => {
    const pictures = seen.flatMap(({ rules }) => rules[index] ?? []).filter(({ elements }) => elements.length > 0);
    const elements = pictures.flatMap((picture) => picture.elements);
    const [first] = elements;
    if (isShared(file) || !first || elements.some(isDoubtful)) return [];
    return declarations.flatMap(({ property, value, line }): Notice[] => {
      const need = NEED_OF[property];
      if (need === undefined || RESETS.test(value) || !pictures.every(({ idle }) => idle.includes(property))) return [];
      const reason = `Got "${property}", which has no effect on ${nameOf(first)}: ${NEEDS[need]}`;
      return [{ file, line, reason }];
    });
  });
}

/**
 * Finds rules for `::before` and `::after` whose elements are in the pictures, while no rule gives the pseudo-element a `content`,
 * so that nothing of it is drawn.
 */
export function missingContent(sources: SourceText[], seen: SeenStyles[]): Notice[] {
  if (decidesElsewhere(sources, /^content$/)) return [];
  const fixed = fixedClasses(sources);
  const rules = rulesOf(sources);
  const contents = rules.filter(({ declarations }) => declarations.some(({ property }) => property === "content"));
  const mayHave = ({ own, pseudo }: SeenRule["missing"][number]) =>
    contents.some(({ targets }) =>
      targets.some((target) => target.pseudo === pseudo && maySelect(target.selector, own, fixed)),
    );
  return rules.flatMap(({ file, targets, declarations }, index): Notice[] => {
    const told = seen.flatMap((picture) => picture.rules[index] ?? []);
    const missing = told.flatMap((picture) => picture.missing);
    const [first] = declarations;
    if (isShared(file) || !first || missing.length === 0) return [];
    if (told.some(({ elements }) => elements.length > 0) || missing.some(mayHave)) return [];
    const [{ selector, pseudo } = { selector: "", pseudo: "" }] = targets;
    const reason = `Got "${selector}${pseudo}", but no rule gives it "content", so nothing of it is drawn. Add content: "".`;
    return [{ file, line: first.line, reason }];
  });
}
