import type { HanRegion } from "#lib/proof/oracle/face-faults.ts";

/** Natural texts of one language, from a word to a few sentences. A field gets the one nearest to the length of its own text. */
export type Sample = {
  name: string;
  /** The option of a field `language` that suits these texts, where a template offers it. */
  language: string;
  texts: string[];
  /** The region whose Han forms the texts want. */
  region?: HanRegion;
};
