import { z } from "zod";

/** The response of an operation that returns no data. */
export const Ok = z.object({ status: z.literal("ok") }).meta({ id: "Ok" });

export const OK = { status: "ok" } as const;
