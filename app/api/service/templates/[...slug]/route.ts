import { methods } from "#lib/http/route/methods.ts";
import { describeTemplate } from "#lib/operations/templates.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(describeTemplate);
