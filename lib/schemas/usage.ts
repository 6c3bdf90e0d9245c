import { z } from "zod";
import { id } from "#lib/schemas/scalars.ts";

const DayUsage = z.object({ day: z.iso.date().describe("In UTC"), renders: z.int().min(0) });

/** What one token has rendered lately. */
export const TokenUsage = z.object({
  tokenId: id,
  days: z.array(DayUsage).describe("The last 30 days, today included, the oldest first; those without renders too"),
  total: z.int().min(1).describe("Of these days together"),
});
