import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postRender } from "#tests/e2e/answers.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { dataUrl } from "#tests/images/files.ts";
import { BROKEN_PNGS, VALID_PNGS } from "./png-cases.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service?.stop();
});

/** Renders a card with a picture. */
function withPicture(bytes: Buffer): Promise<Response> {
  const data = { portrait: dataUrl("png", bytes) };
  return postRender(service, JSON.stringify({ template: "social/quote", data }));
}

describe("a PNG with", () => {
  it.each(VALID_PNGS)("%s is drawn", async (_name, bytes) => {
    const response = await withPicture(bytes);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    await response.arrayBuffer();
  });

  it.each(BROKEN_PNGS)("%s is refused, with the reason", async (_name, bytes) => {
    const response = await withPicture(bytes);
    const answer = (await response.json()) as { error: { code: string; issues?: unknown[] } };
    expect([response.status, answer.error.code]).toEqual([422, "image_rejected"]);
    expect(answer.error.issues).toMatchObject([{ path: "/data/portrait", message: expect.any(String) }]);
  });
});
