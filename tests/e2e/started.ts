import { expect } from "vitest";
import { z } from "zod";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { afterTest } from "#tests/clean-up.ts";
import { RENDER } from "./answers.ts";
import { type Service, startService } from "./service.ts";

/** Several starts on a busy machine, in milliseconds. */
export const STARTS_TIMEOUT_MS = 180_000;

/** Starts a service that ends with the test. */
export async function start(env?: Record<string, string>, dir?: string): Promise<Service> {
  const service = await startService(env, dir);
  afterTest(async () => {
    if (service.npm.exitCode === null) await service.stop();
  });
  return service;
}

/** Starts the service where that has to fail. @returns what it printed, and its exit code */
export function failedStart(env: Record<string, string>, dir?: string): Promise<string> {
  return start(env, dir).then(
    () => expect.fail("The service started."),
    (error: Error) => error.message,
  );
}

export async function firstSlug(origin: string): Promise<string> {
  const templates = z.array(TemplateSummary).parse(await (await fetch(`${origin}/api/service/templates`)).json());
  return templates[0]?.slug ?? "";
}

export function render(origin: string, slug: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(origin + RENDER, { method: "POST", headers, body: JSON.stringify({ template: slug }) });
}
