import { expect } from "vitest";
import { z } from "zod";
import { STATUS_OF_CODE } from "#lib/errors.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { expectSafeHeaders } from "../http/requests.ts";
import type { RawAnswer, Service } from "./service.ts";

export const RENDER = "/api/service/images/render";

/** A template whose slug has a slash. */
export async function nestedTemplate({ origin }: Service): Promise<TemplateSummary> {
  const templates = z.array(TemplateSummary).parse(await (await fetch(`${origin}/api/service/templates`)).json());
  return (
    templates.find(({ slug }) => slug.includes("/")) ?? expect.fail("There is no template whose slug has a slash.")
  );
}

/** Posts to the render route, as JSON unless the headers say otherwise. */
export function postRender(
  { origin }: Service,
  body: BodyInit,
  headers: Record<string, string> = { "content-type": "application/json" },
): Promise<Response> {
  return fetch(origin + RENDER, { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

/** Draws a picture that no request with another title shares. @returns the status */
export async function drawTitle(service: Service, title: string): Promise<number> {
  const response = await postRender(service, JSON.stringify({ template: "blog/article", data: { title } }));
  await response.arrayBuffer();
  return response.status;
}

export async function expectPicture(service: Service, slug: string): Promise<void> {
  const response = await postRender(service, JSON.stringify({ template: slug }));
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get("content-length")));
}

/** The code of an error response, after checking that it has the shape and the headers of the contract. */
export function codeOf(answer: RawAnswer): string {
  const { error } = ErrorAnswer.parse(JSON.parse(answer.body));
  expect(answer.status).toBe(STATUS_OF_CODE[error.code]);
  expect(answer.headers.get("x-request-id")).toBe(error.requestId);
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(answer.body)));
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expectSafeHeaders({ headers: new Headers([...answer.headers]) } as Response);
  return error.code;
}

export async function fetchedCode(response: Response): Promise<string> {
  return codeOf({ status: response.status, headers: new Map(response.headers), body: await response.text() });
}
