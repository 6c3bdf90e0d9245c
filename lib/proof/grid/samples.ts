import { LATIN_GREEK_CYRILLIC } from "./samples/alphabets.ts";
import { CJK } from "./samples/cjk.ts";
import { COMPLEX_SCRIPTS } from "./samples/complex-scripts.ts";
import { MARKS_AND_EMOJI } from "./samples/marks-and-emoji.ts";
import type { Sample } from "./samples/sample.ts";

/** Languages and scripts in which a text is drawn. */
export const SAMPLES: Sample[] = [...LATIN_GREEK_CYRILLIC, ...COMPLEX_SCRIPTS, ...CJK, ...MARKS_AND_EMOJI];

/** A sample by its name. @throws Error for a name without one */
export function sampleOf(name: string): Sample {
  const sample = SAMPLES.find((candidate) => candidate.name === name);
  if (!sample) throw new Error(`There is no sample "${name}".`);
  return sample;
}
