import { isDevelopment } from "#lib/config.ts";
import { placeOfFault } from "../build-registry.ts";
import { getRegistry } from "../registry.ts";

/** A template that is not served, for its author. */
export type FaultyTemplate = {
  slug: string;
  faults: {
    /** File and line, relative to the templates folder, such as `social/card/style.css:3`. */
    place: string;
    reason: string;
    /** The line itself. */
    source: string | undefined;
  }[];
};

/** The templates with faults, each with all of them. Only in development: a server tells them to its operator alone. */
export async function faultyTemplates(): Promise<FaultyTemplate[]> {
  if (!isDevelopment()) return [];
  const { faults } = await getRegistry();
  return [...Map.groupBy(faults, ({ slug }) => slug)].map(([slug, own]) => ({
    slug,
    faults: own.map((fault) => ({ place: placeOfFault(fault), reason: fault.reason, source: fault.source })),
  }));
}
