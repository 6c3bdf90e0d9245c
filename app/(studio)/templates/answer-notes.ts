import type { z } from "zod";
import type { RenderWarnings } from "#lib/schemas/warnings.ts";

export type Warnings = z.output<typeof RenderWarnings>;

const NONE: Warnings = { warnings: [], more: 0 };

/** What the picture shows otherwise than was asked for. The service has held the header to its schema. */
export function readWarnings(headers: Headers): Warnings {
  const text = headers.get("x-render-warnings");
  return text === null ? NONE : (JSON.parse(text) as Warnings);
}

/** Whether the picture was drawn for this request: one that was kept took no steps that have a duration. */
export function isFromCache(headers: Headers): boolean {
  const timing = headers.get("server-timing");
  return timing !== null && !timing.includes("dur=");
}
