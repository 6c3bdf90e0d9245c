import { z } from "zod";

/** The answer of an operation with nothing else to say. */
export const Ok = z.object({ status: z.literal("ok") }).meta({ id: "Ok" });

export const OK = { status: "ok" } as const;
