import { z } from "zod";
import { ON_THE_MACHINE } from "#lib/access/audit.ts";
import { requireShape } from "#lib/http/body/shape.ts";
import { email as emailSchema } from "#lib/schemas/user.ts";
import type { Terminal } from "./ask.ts";

export type Options = { name?: string; admin?: boolean; json?: boolean; yes?: boolean; limit?: string };

type Input = { words: string[]; options: Options; terminal: Terminal };

export type Command = {
  /** What has to follow the command, in order. */
  words: string[];
  options: (keyof Options)[];
  /** Everything that has to be known before the database is opened. @returns what is to be done with it, and then printed */
  prepare(input: Input): Promise<() => Promise<string>>;
};

/** Whom the trail names for what is done here. */
export const operator = { actor: { kind: "operator" }, caller: ON_THE_MACHINE } as const;

/** For programs. */
export const toJson = (value: unknown) => JSON.stringify(value, undefined, 2);

/** An email as the schema leaves it. @throws AppError `invalid_request` */
export function readEmail(text: string | undefined): string {
  return requireShape({ schema: z.object({ email: emailSchema }), value: { email: text }, name: "The command" }).email;
}
