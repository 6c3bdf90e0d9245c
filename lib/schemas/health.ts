import { z } from "zod";

/** The process is alive. */
export const Health = z.object({ status: z.literal("ok") });
