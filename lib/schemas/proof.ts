import { z } from "zod";
import { moment } from "./scalars.ts";

const side = z.number();

/** A picture of the proof that has faults. */
const faultyPicture = z.strictObject({
  variant: z.string(),
  content: z.string().meta({ description: "Names the content, such as `arabic` or `empty:author`." }),
  data: z.record(z.string(), z.unknown()).meta({ description: "The edits. A name stands for the bytes of an image." }),
  faults: z.array(
    z.strictObject({
      kind: z.string(),
      field: z.string(),
      message: z.string(),
      box: z.strictObject({ left: side, top: side, right: side, bottom: side }).optional(),
    }),
  ),
});

/** The result of a proof that was kept. */
const keptProof = z.strictObject({
  finishedAt: moment,
  isCurrent: z.boolean().meta({ description: "False when the template, the browser or the fonts have changed since." }),
  pictures: z.int(),
  faulty: z.array(faultyPicture),
});

/** The proof of one template: the run under way, and the result of the last one. */
export const ProofReport = z.strictObject({
  template: z.string(),
  run: z
    .strictObject({ done: z.int(), of: z.int().meta({ description: "0 until the run begins." }) })
    .nullable()
    .meta({ description: "The run that waits or is under way." }),
  failure: z.string().nullable().meta({ description: "Why the last run ended early." }),
  kept: keptProof.nullable(),
});

export type ProofReport = z.infer<typeof ProofReport>;
