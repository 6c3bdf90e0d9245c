import type { TemplateSummary } from "#lib/schemas/template.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";

type Content = Record<string, { schema?: JsonSchema }>;

export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
};

export type Answer = { description: string; headers?: Record<string, { description?: string }>; content?: Content };

export type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Answer>;
};

/** What the pages read of the OpenAPI document. */
export type OpenApi = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** What the documentation is written from. It says what is true of this very service, to the one who reads it. */
export type Sources = {
  /** What a command calls: where the service is as it is configured, else this machine. A page lets the browser say better. */
  origin: string;
  /** What stands before the path of a link, for who reads it elsewhere; empty where only the reader knows it. */
  linkOrigin: string;
  /** Whether the access layer is on. */
  isGuarded: boolean;
  templates: () => Promise<TemplateSummary[]>;
  document: () => Promise<OpenApi>;
};
