import { z } from "zod";
import { LOCAL_CALLER } from "#lib/access/audit-trail.ts";
import { AppError } from "#lib/errors.ts";
import { requireShape } from "#lib/http/body/shape.ts";
import { printable } from "#lib/printable.ts";
import { email as emailSchema } from "#lib/schemas/user.ts";
import { UsageError } from "../run-command.ts";
import type { Terminal } from "./ask.ts";

export type Options = {
  name?: string;
  admin?: boolean;
  json?: boolean;
  yes?: boolean;
  limit?: string;
  verify?: boolean;
  expect?: string;
  format?: string;
  action?: string;
  user?: string;
  since?: string;
  until?: string;
};

type Input = { words: string[]; options: Options; terminal: Terminal };

export type Command = {
  /** The names of the required arguments, in order. */
  words: string[];
  options: (keyof Options)[];
  /**
   * Reads and checks all input before the database is opened.
   * @returns a function that runs the command. It resolves with its output; with undefined when it has printed that
   */
  prepare(input: Input): Promise<() => Promise<string | undefined>>;
};

/** The actor that the audit trail names for these commands. */
export const operator = { actor: { kind: "operator" }, caller: LOCAL_CALLER } as const;

export const toJson = (value: unknown) => printable(JSON.stringify(value, undefined, 2));

export function issuesOf({ issues, message }: AppError): string {
  return issues.map(({ path, message }) => `${path.slice(1)}: ${message}`).join("\n") || message;
}

/** Arguments, checked as a route checks its body. @throws UsageError */
export function requireArguments<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  try {
    return requireShape({ schema, value, name: "The command" });
  } catch (error) {
    throw error instanceof AppError ? new UsageError(issuesOf(error)) : error;
  }
}

/** An email as the schema returns it. @throws UsageError */
export function readEmail(text: string | undefined): string {
  return requireArguments(z.object({ email: emailSchema }), { email: text }).email;
}
