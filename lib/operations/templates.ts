import { z } from "zod";
import { viewer } from "#lib/http/identity/auth.ts";
import { operation } from "#lib/http/route/operation.ts";
import { TemplateDetail, TemplateSummary } from "#lib/schemas/template.ts";
import * as catalog from "#lib/templates/catalog.ts";
import { PATHS } from "./paths.ts";
import { TEMPLATES } from "./tags.ts";

export const listTemplates = operation({
  method: "GET",
  path: PATHS.templates,
  operationId: "listTemplates",
  summary: "List the templates",
  tag: TEMPLATES,
  auth: viewer,
  returns: z.array(TemplateSummary),
  success: "All templates.",
  handle: () => catalog.listTemplates(),
});

export const describeTemplate = operation({
  method: "GET",
  path: PATHS.template,
  operationId: "describeTemplate",
  summary: "Describe a template, with each variant's values",
  tag: TEMPLATES,
  auth: viewer,
  returns: TemplateDetail,
  success: "The template.",
  errors: ["not_found"],
  handle: ({ params }) => catalog.describeTemplate(params.slug),
});
