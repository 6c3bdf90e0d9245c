import { z } from "zod";
import { type ErrorCode, STATUS_OF_CODE } from "#lib/errors.ts";

const codes = Object.keys(STATUS_OF_CODE) as [ErrorCode, ...ErrorCode[]];

/** One fault of a request. `path` is a JSON Pointer; the empty string is the whole body. */
const IssueShape = z.strictObject({ path: z.string(), code: z.string(), message: z.string() });

/** The body of every error. */
export const ErrorAnswer = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(codes),
      message: z.string(),
      requestId: z.uuidv7(),
      issues: z.array(IssueShape).min(1).optional(),
    }),
  })
  .meta({ id: "Error" });

export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
