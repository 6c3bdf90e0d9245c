import { z } from "zod";

/** All is well, or what was asked for is done. */
export const Ok = z.object({ status: z.literal("ok") });
