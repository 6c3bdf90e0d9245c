import { accessEnabled } from "#lib/config.ts";
import { knownOrigin } from "../ui/known-origin.ts";
import type { Sources } from "./sources.ts";

/** What is true of this service, whoever asks. */
export function ownSources(): Pick<Sources, "origin" | "linkOrigin" | "isGuarded"> {
  const { configured, fallback } = knownOrigin();
  return { origin: configured ?? fallback, linkOrigin: configured ?? "", isGuarded: accessEnabled() };
}
