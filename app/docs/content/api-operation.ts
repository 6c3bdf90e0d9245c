import { type ErrorCode, STATUS_OF_CODE } from "#lib/errors.ts";
import type { Answer, OpenApi, Operation, Parameter } from "../sources.ts";
import { exampleOf } from "./schema-example.ts";
import { notesOf, referred, typeOf } from "./schema-rows.ts";
import { block, code, parts, table } from "./table.ts";

/** Prefix of the components that describe the bodies of one template each. They have pages of their own. */
export const RENDER_COMPONENT = "Render.";

const RENDER_BODY = table(
  ["key", "type", "about"],
  [
    ["`template`", "string, required", "The slug of a template."],
    ["`variant`", "string", "One of its variants; its default when absent."],
    [
      "`data`",
      "object",
      "Edits for its fields; `{}` when absent. The pages of the templates [below](#templates-and-their-fields) say what each accepts.",
    ],
  ],
);

function credentialsOf({ security, responses }: Operation): string {
  if (security.length === 0) return "";
  if (security.some((one) => "token" in one)) return "Needs an API token, or a session on the service's own pages.";
  const isForAdministrators = responses[403]?.description.split(", ").includes("forbidden");
  return isForAdministrators ? "Needs the session of an administrator." : "Needs a session.";
}

function parametersOf(parameters: Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => [
    code(name),
    `${typeOf(schema)}, in the ${place}${required ? ", required" : ""}`,
    notesOf({ ...schema, ...(description !== undefined && { description }) }),
  ]);
  return table(["parameter", "type", "about"], rows);
}

function bodyOf(method: string, operation: Operation, { components }: OpenApi): string {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return "";
  if (operation.operationId === "renderImage") return parts("**Sends** JSON with exactly these keys:", RENDER_BODY);
  const name = referred(schema);
  const isEmpty = Object.keys((components.schemas[name ?? ""]?.properties ?? {}) as object).length === 0;
  if (isEmpty) return "**Sends** nothing, or `{}`.";
  const example = JSON.stringify(exampleOf(schema, components.schemas), null, 2);
  return parts(
    `**Sends** ${typeOf(schema)} as JSON:`,
    block("json", `A body of ${method} ${operation.operationId}`, example),
  );
}

function isCode(name: string): name is ErrorCode {
  return Object.hasOwn(STATUS_OF_CODE, name);
}

function headersOf({ headers }: Answer): string {
  const names = Object.keys(headers ?? {});
  return names.length === 0 ? "" : ` With ${names.map(code).join(", ")}.`;
}

function successOf(status: string, answer: Answer): string {
  const [type, content] = Object.entries(answer.content ?? {})[0] ?? [];
  const what = type === "application/json" ? typeOf(content?.schema ?? {}) : type && code(type);
  const said = answer.description === "Done." ? undefined : answer.description.replace(/\.$/, "");
  return `- **${status}** ${[said, what].filter(Boolean).join(": ")}.${headersOf(answer)}`;
}

function errorsOf(status: string, codes: string[]): string {
  return `**${status}** ${codes.map((name) => `[${code(name)}](/docs/errors#${name})`).join(", ")}`;
}

/** The answers of an operation: a line for each success, and one for all errors. */
function answersOf({ responses }: Operation): string {
  const answers = Object.entries(responses).map(([status, answer]) => {
    const codes = answer.description.split(", ");
    return { status, answer, codes: codes.every(isCode) ? codes : undefined };
  });
  const successes = answers.filter(({ codes }) => !codes).map(({ status, answer }) => successOf(status, answer));
  const errors = answers.flatMap(({ status, codes }) => (codes ? [errorsOf(status, codes)] : []));
  return parts(
    "**Answers**",
    [...successes, ...(errors.length > 0 ? [`- Errors: ${errors.join(" · ")}`] : [])].join("\n"),
  );
}

/** An operation: who may call it, what it accepts, what it answers. */
export function writeOperation(
  place: { method: string; path: string },
  operation: Operation,
  document: OpenApi,
): string {
  const { method, path } = place;
  const credentials = credentialsOf(operation);
  const { parameters = [] } = operation;
  return parts(
    `### ${method} ${path}`,
    `${operation.summary}. ${credentials}`.trim(),
    parameters.length > 0 && parametersOf(parameters),
    bodyOf(method, operation, document),
    answersOf(operation),
  );
}
