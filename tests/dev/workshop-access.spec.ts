import { request as connect } from "node:http";
import { expect, type OwnTemplate, test } from "./workshop-page.ts";

type Answer = { status: number; body: string };

/** A request with any headers, `Host` included. */
function ask(origin: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = connect(origin + path, { method: body === undefined ? "GET" : "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

const files = ({ slug }: OwnTemplate) => `/api/workshop/files/${slug}`;

/** Something that only a reader of the files has seen. */
const SECRET = "data-setting";

for (const [what, headers, status] of [
  ["a name that a foreign site can take", { host: "workshop.example.com" }, 421],
  ["a proxy", { "x-forwarded-for": "127.0.0.1" }, 403],
  ["a client that claims an address", { "x-forwarded-for": "192.0.2.7", "x-platen-peer": "127.0.0.1" }, 403],
] as const) {
  test(`${what} gets no workshop`, async ({ dev, template }) => {
    const page = await ask(dev.origin, `/workshop/${template.slug}`, headers);
    expect(page.body).toContain("This page cannot be shown");
    expect(page.body).not.toContain(SECRET);
    const api = await ask(dev.origin, files(template), headers);
    expect(api.status).toBe(status);
    expect(api.body).not.toContain(SECRET);
  });
}

test("another site writes nothing", async ({ dev, template }) => {
  const before = template.read("style.css");
  const body = JSON.stringify({ name: "style.css", text: "", version: "absent" });
  for (const origin of ["http://example.com", "null", dev.origin.replace("127.0.0.1", "localhost"), undefined]) {
    const headers = { "content-type": "application/json", ...(origin && { origin }) };
    const { status, body: answer } = await ask(dev.origin, files(template), headers, body);
    expect([status, JSON.parse(answer).error.code]).toEqual([403, "origin_mismatch"]);
  }
  expect(template.read("style.css")).toBe(before);
});
