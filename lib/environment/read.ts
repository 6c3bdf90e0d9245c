import type { z } from "zod";
import { ConfigError, faultsOf } from "./fault.ts";

/** What a variable holds. An empty one counts as unset, as deployment files that always name every variable expect. */
export function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** Every variable that there is, ours or not. */
export function variableNames(): string[] {
  return Object.keys(process.env);
}

/** Written out, because Next's bundler replaces exactly this expression: a built page knows what it was built for. */
export function nodeMode(): string | undefined {
  return process.env.NODE_ENV;
}

type Reading = { values: (string | undefined)[]; result: z.ZodSafeParseResult<unknown> };

const readings = new WeakMap<z.ZodObject, Reading>();

/** What a schema makes of its variables. Every request reads, so that what has not changed is not parsed again (0.3 ms a request). */
export function read<T extends z.ZodObject>(schema: T): z.ZodSafeParseResult<z.infer<T>> {
  const names = Object.keys(schema.shape);
  const values = names.map(variable);
  const last = readings.get(schema);
  if (last?.values.every((value, index) => value === values[index])) {
    return last.result as z.ZodSafeParseResult<z.infer<T>>;
  }
  const result = schema.safeParse(Object.fromEntries(names.map((name, index) => [name, values[index]])));
  readings.set(schema, { values, result });
  return result;
}

/** The same, where nothing can be done with a fault. @throws ConfigError */
export function parse<T extends z.ZodObject>(schema: T): z.infer<T> {
  const result = read(schema);
  if (!result.success) throw new ConfigError(faultsOf(result.error));
  return result.data;
}
