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

/** The parts of the OpenAPI document that the pages use. */
export type OpenApi = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** The data that the documentation is generated from: the configuration of this service, and what the reader may see. */
export type Sources = {
  /** The origin in commands: the configured one, else this machine. A page replaces it in the browser. */
  origin: string;
  /** Prefix of links, for readers outside the service; empty where no origin is configured. */
  linkOrigin: string;
  /** Whether the access layer is on. */
  isGuarded: boolean;
  templates: () => Promise<TemplateSummary[]>;
  document: () => Promise<OpenApi>;
};
