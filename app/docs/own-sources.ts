import { accessEnabled } from "#lib/config.ts";
import { serviceOrigin } from "../ui/page/service-origin.ts";
import type { Sources } from "./sources.ts";

/** What is true of this service, whoever asks. */
export function ownSources(): Pick<Sources, "origin" | "linkOrigin" | "isGuarded"> {
  const { configured, fallback } = serviceOrigin();
  return { origin: configured ?? fallback, linkOrigin: configured ?? "", isGuarded: accessEnabled() };
}
