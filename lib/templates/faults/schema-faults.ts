import { z } from "zod";
import { nearestName } from "#lib/nearest-name.ts";
import { show } from "./value-faults.ts";

/** A checked file: its schema and what it holds. */
type Checked = { schema: z.ZodType; value: unknown };

const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === "object" && value !== null;

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

/** The schema inside those that only make it optional or give it a default. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap());
  return schema;
}

/** The schemas that may apply to a value: of a union those that fit the kind, such as the `type` of a field, that it names. */
function candidates(schema: z.core.$ZodType, value: unknown): z.core.$ZodType[] {
  const inner = unwrapped(schema);
  if (!(inner instanceof z.ZodUnion)) return [inner];
  const options = inner.options.map(unwrapped);
  if (!(inner instanceof z.ZodDiscriminatedUnion)) return options.flatMap((option) => candidates(option, value));
  const key = inner.def.discriminator;
  const isNamed = (option: z.core.$ZodType) => {
    const kind = option instanceof z.ZodObject ? option.shape[key] : undefined;
    return kind !== undefined && isObject(value) && z.safeParse(kind, value[key]).success;
  };
  return options.filter(isNamed);
}

/** The keys that an object in a file may have. Empty where they are free. */
function keysAt({ schema, value }: Checked, path: PropertyKey[]): string[] {
  const found = path.reduce<z.core.$ZodType[]>(
    (schemas, key, depth) =>
      schemas.flatMap((one) => {
        const next =
          one instanceof z.ZodObject ? one.shape[String(key)] : one instanceof z.ZodRecord ? one.valueType : undefined;
        return next === undefined ? [] : candidates(next, valueAt(value, path.slice(0, depth + 1)));
      }),
    candidates(schema, value),
  );
  return found.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []));
}

function suggestion(name: string, names: string[]): string | undefined {
  const nearest = nearestName(name, names);
  return nearest === undefined ? undefined : `Did you mean "${nearest}"?`;
}

function describeUnknownKey(issue: z.core.$ZodIssueUnrecognizedKeys, checked: Checked): string {
  const keys = keysAt(checked, issue.path);
  const [key = ""] = issue.keys;
  const known = keys.length === 0 ? "Correct the name, or remove it." : `Want only ${keys.join(", ")}.`;
  return `Unknown key "${key}". ${suggestion(key, keys) ?? known}`;
}

/**
 * An issue for each unknown key, so that each has its line. A key that is missing where a misspelt one stands is left out: that
 * fault is told.
 */
export function singleFaults(issues: z.core.$ZodIssue[], value: unknown): z.core.$ZodIssue[] {
  const unknown = issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue : []));
  const isMeant = ({ path }: z.core.$ZodIssue, parent: z.core.$ZodIssueUnrecognizedKeys) => {
    const isBeside = path.length === parent.path.length + 1 && parent.path.every((key, index) => key === path[index]);
    const name = String(path.at(-1));
    return isBeside && parent.keys.some((key) => nearestName(key, [name]) !== undefined);
  };
  return issues.flatMap((issue): z.core.$ZodIssue[] => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => ({ ...issue, keys: [key] }));
    const isMissing = valueAt(value, issue.path) === undefined;
    return isMissing && unknown.some((parent) => isMeant(issue, parent)) ? [] : [issue];
  });
}

/** What a size counts, by the kind of the value. Numbers are compared themselves. */
const COUNTED: Record<string, string> = { string: "character", array: "item" };

function describeSize(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, got: unknown): string {
  const counted = COUNTED[issue.origin];
  const limit = issue.code === "too_big" ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
  if (counted === undefined) return `Got ${show(got)}, want ${limit}.`;
  const size = typeof got === "string" || Array.isArray(got) ? got.length : 0;
  return `Got ${size} ${counted}${size === 1 ? "" : "s"}, want ${limit}.`;
}

function describeOptions(got: unknown, options: unknown[]): string {
  if (got === undefined) return `Got nothing, want one of ${options.map(show).join(", ")}.`;
  const nearest = typeof got === "string" ? suggestion(got, options.map(String)) : undefined;
  return nearest ? `Got ${show(got)}. ${nearest}` : `Got ${show(got)}, want one of ${options.map(show).join(", ")}.`;
}

/** What JSON calls a type of zod. */
const KINDS: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** Says what is wrong with a value of a file, and what is wanted. A key that is refused keeps its reason inside. */
export function describeSchemaFault(issue: z.core.$ZodIssue, checked: Checked): string {
  const got = valueAt(checked.value, issue.path);
  switch (issue.code) {
    case "invalid_key":
      return `Got this name, ${issue.issues.map((inner) => inner.message).join(", ")}`;
    case "unrecognized_keys":
      return describeUnknownKey(issue, checked);
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options) ? describeOptions(got, issue.options) : issue.message;
    case "invalid_value":
      return describeOptions(got, issue.values);
    case "invalid_type": {
      const wanted = KINDS[issue.expected] ?? issue.expected;
      return `Got ${got === undefined ? "nothing" : show(got)}, want ${wanted}.`;
    }
    case "too_big":
    case "too_small":
      return describeSize(issue, got);
    case "invalid_format":
    case "custom":
      return /^want /.test(issue.message) && typeof got === "string"
        ? `Got ${show(got)}, ${issue.message}`
        : issue.message;
    default:
      return issue.message;
  }
}
