import { designOf, type Kind, scaleOf } from "#lib/fonts/companions.ts";
import { type Face, factsOf } from "#lib/fonts/font-facts.ts";
import type { OwnFamily } from "./document-fonts.ts";

/** A companion of a design, as a family that a document declares. */
export type Pairing = { design: string; companion: string; own: OwnFamily | undefined; kind: Kind };

/** The name of the family that {@link faceRules} declares. */
export function pairingName({ design, companion }: Pick<Pairing, "design" | "companion">): string {
  return `${design} + ${companion}`;
}

const WEIGHTS = [100, 200, 300, 400, 500, 600, 700, 800, 900];

function nearest(faces: Face[], weight: number): Face | undefined {
  return faces.toSorted((a, b) => Math.abs(a.weight - weight) - Math.abs(b.weight - weight))[0];
}

/** Each face with the CSS weights that it stands for. A design of one weight has the same companion for all. */
function weightRanges(faces: Face[], { design, shift }: { design: Face[]; shift: number }): [Face, number, number][] {
  const ranges: [Face, number, number][] = [];
  for (const weight of WEIGHTS) {
    const drawn = design.length > 0 ? nearest(design, weight)?.weight : weight;
    const face = nearest(faces, (drawn ?? weight) + shift);
    const last = ranges.at(-1);
    if (last && last[0] === face) last[2] = weight;
    else if (face) ranges.push([face, weight, weight]);
  }
  return ranges;
}

const percent = (value: number) => `${Math.round(value * 10_000) / 100}%`;

/** The rules of each pairing so far. There are as many as templates have families, times the scripts. */
const written = new Map<string, string>();

/** The style rules of a companion, which are written once in the life of the process. */
export function faceRules(pairing: Pairing): string {
  const key = JSON.stringify(pairing);
  const rules = written.get(key) ?? writeRules(pairing);
  written.set(key, rules);
  return rules;
}

/**
 * Declares a companion as a family of its own: scaled, matched in weight, and with the ascent and descent of the design,
 * so that a word in it leaves the lines where they are. A companion without italics is upright in an italic text.
 */
function writeRules({ design, companion, own, kind }: Pairing): string {
  const base = own ? own.bundled : design;
  const [facts, companionFacts] = [base === undefined ? undefined : factsOf(base), factsOf(companion)];
  if (!companionFacts) return "";
  const scale = base === undefined ? 1 : scaleOf({ design: base, companion });
  const [ascent, descent] = [own?.ascent ?? facts?.ascent, own?.descent ?? facts?.descent];
  const metrics =
    ascent === undefined || descent === undefined
      ? ""
      : `ascent-override:${percent(ascent / scale)};descent-override:${percent(descent / scale)};line-gap-override:0%;`;
  const shift = designOf(base ?? design, kind).weightShift ?? 0;
  return ["normal", "italic"]
    .flatMap((style) => {
      const inStyle = companionFacts.faces.filter(({ italic }) => italic === (style === "italic"));
      const faces = inStyle.length > 0 ? inStyle : companionFacts.faces;
      return weightRanges(faces, { design: facts?.faces ?? [], shift }).map(
        ([face, first, last]) =>
          `@font-face{font-family:"${pairingName({ design, companion })}";src:local("${face.postscriptName}");font-weight:${first} ${last};font-style:${style};${metrics}size-adjust:${percent(scale)}}`,
      );
    })
    .join("");
}
