import { nearestName } from "#lib/nearest-name.ts";
import { fitOf, type SimpleDeclaration } from "../fields/field-types.ts";

/** Attributes whose value is the name of a field. */
export const MARKS = ["data-fit", "data-image", "data-qr", "data-barcode", "data-outline"];

/** The marks that are for some fields only, and which. */
const WANTED: Record<string, { isFor: (declaration: SimpleDeclaration) => boolean; what: string }> = {
  "data-fit": { isFor: (declaration) => fitOf(declaration) !== undefined, what: 'field that declares "fit"' },
  "data-image": { isFor: ({ type }) => type === "image", what: "field of type image" },
  "data-outline": { isFor: ({ type }) => type === "image", what: "field of type image" },
};

type Leaves = Record<string, SimpleDeclaration>;

/** The field that a misspelt mark means. Undefined where the mark is right, and where no field is near. */
function meantField({ name, value }: { name: string; value: string }, leaves: Leaves): string | undefined {
  if (Object.hasOwn(leaves, value)) return undefined;
  const fitting = Object.entries(leaves).filter(([, declaration]) => WANTED[name]?.isFor(declaration));
  return nearestName(
    value,
    fitting.map(([field]) => field),
  );
}

/** Why a mark such as `data-fit="title"` is wrong. Undefined for a right one, and for one of a code, which has rules of its own. */
export function misplacedMark({ name, value }: { name: string; value: string }, leaves: Leaves): string | undefined {
  const wanted = WANTED[name];
  const declaration = Object.hasOwn(leaves, value) ? leaves[value] : undefined;
  if (!wanted || (declaration && wanted.isFor(declaration))) return undefined;
  const meant = meantField({ name, value }, leaves);
  if (meant !== undefined) return `Got ${name}="${value}". Did you mean "${meant}"?`;
  return `Got ${name}="${value}", want the name of a ${wanted.what}.`;
}

/** Whether some mark in the markup is a misspelt one of a field, so that its fault is told instead of the missing one. */
export function hasMisspeltMark(source: string, field: string, leaves: Leaves): boolean {
  const marks = [...source.matchAll(/(data-\w+)=["']([\w.]+)["']/g)];
  return marks.some(([, name = "", value = ""]) => meantField({ name, value }, leaves) === field);
}
