import type { ConfigFault } from "./config-error.ts";
import { InvalidValue, type Kind } from "./kinds.ts";

/** Returns the text of a variable, or undefined for one that is unset or empty. */
export type Environment = (name: string) => string | undefined;

type Unset = string | ((environment: Environment) => string | undefined);

/** One setting: its variable, what it may hold, and the text that is used where the variable is unset. */
export type Setting<Value> = {
  variable: string;
  kind: Kind<Value>;
  unset: Unset | undefined;
};

/** Declares a setting. Its value is undefined where the variable is unset and has no default. */
export function setting<Value>(
  variable: string,
  kind: Kind<Value>,
  unset: string | ((environment: Environment) => string),
): Setting<Value>;
export function setting<Value>(variable: string, kind: Kind<Value>, unset?: Unset): Setting<Value | undefined>;
export function setting<Value>(variable: string, kind: Kind<Value>, unset?: Unset): Setting<Value> {
  return { variable, kind, unset };
}

/** A group of settings that are read together. */
export type Section = Record<string, Setting<unknown>>;

/** The values of a section, by the names of its settings. */
export type Values<S extends Section> = { [Name in keyof S]: S[Name] extends Setting<infer Value> ? Value : never };

export type Reading<S extends Section> = { values: Partial<Values<S>>; faults: ConfigFault[] };

/**
 * Refuses a value in quotes. A shell removes them, and so does Next from `.env`, but Docker and kubectl keep those of their files of
 * variables. No value needs any. @throws InvalidValue, without the value
 */
function requireNoQuotes(text: string): void {
  if (/^(["']).*\1\s*$/s.test(text))
    throw new InvalidValue(
      "got quotes around the value, want it without them: files of variables for Docker and kubectl have none",
    );
}

/** Reads every setting of a section. `values` lacks those that are named in `faults`. */
export function readSection<S extends Section>(section: S, environment: Environment): Reading<S> {
  const values: Record<string, unknown> = {};
  const faults: ConfigFault[] = [];
  for (const [name, { variable, kind, unset }] of Object.entries(section)) {
    const text = environment(variable) ?? (typeof unset === "function" ? unset(environment) : unset);
    try {
      if (text !== undefined) requireNoQuotes(text);
      values[name] = text === undefined ? undefined : kind(text);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      faults.push({ variable, message: error.message });
    }
  }
  return { values: values as Partial<Values<S>>, faults };
}
