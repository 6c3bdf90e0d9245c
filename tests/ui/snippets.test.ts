import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { codeTokens } from "../../app/(studio)/templates/snippets/code-tokens.ts";
import { LANGUAGES, type LanguageName } from "../../app/(studio)/templates/snippets/languages.ts";
import { hasImages, type SnippetRequest } from "../../app/(studio)/templates/snippets/snippet.ts";
import { HERE, HOSTILE, MISSING, runSnippet } from "./run-snippet.ts";

const PNG_BEGINNING = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const TOKEN = "svc_0123456789";

type Received = { headers: Record<string, unknown>; body: unknown };

let server: Server;
let origin: string;
let dir: string;
let received: Received[] = [];
let refusal: string | undefined;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks);
    received.push({
      headers: request.headers,
      body: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text)),
    });
    if (refusal !== undefined) response.writeHead(422, { "content-type": "application/json" }).end(refusal);
    else response.end(Buffer.concat([PNG_BEGINNING, text]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  received = [];
  refusal = undefined;
  dir = mkdtempSync(join(tmpdir(), "platen-snippets-"));
  return () => rmSync(dir, { recursive: true, force: true });
});

afterAll(() => {
  server.close();
});

/** Runs code from a file, which prints nothing. */
async function run(language: LanguageName, code: string, env: Record<string, string> = {}) {
  const { stdout, ...ran } = await runSnippet(language, { code, dir, env });
  expect(stdout).toBe("");
  return ran;
}

function requestWith(data: SnippetRequest["data"], extra: Partial<SnippetRequest> = {}): SnippetRequest {
  return { origin, template: "social/quote", data, needsToken: false, ...extra };
}

const VALUES = { ...HOSTILE, long: "x".repeat(150_000) };

it(`runs in ${HERE.join(", ")}${MISSING.length > 0 ? `, and not in ${MISSING.join(", ")}, which are not installed` : ""}`, () => {
  expect(HERE).toContain("typescript");
});

describe.each(HERE)("the %s snippet", (language) => {
  const write = LANGUAGES[language].write;

  it("sends every value exactly, and saves the picture", async () => {
    const data = { ...VALUES, number: -1.5e-7, whole: 42, yes: true, no: false };
    const ran = await run(language, write(requestWith(data, { variant: "poster" })));
    expect(ran).toEqual({ code: 0, stderr: "" });
    expect(received).toHaveLength(1);
    expect(received[0]?.body).toEqual({ template: "social/quote", variant: "poster", data });
    expect(received[0]?.headers).toMatchObject({ "content-type": "application/json" });
    expect(received[0]?.headers).not.toHaveProperty("authorization");
    const kept = readFileSync(join(dir, "social-quote.png"));
    expect(kept.subarray(0, 8)).toEqual(PNG_BEGINNING);
    expect(JSON.parse(kept.toString("utf8", kept.indexOf("{")))).toEqual(received[0]?.body);
  });

  it("sends objects and lists inside a field", async () => {
    const rows = Array.from({ length: 9 }, (_, index) => ({
      name: `${HOSTILE.quotes} ${index}`,
      price: { amount: 0.5, currency: "EUR" },
    }));
    const data = {
      price: { amount: 12.5, currency: "JPY" },
      flags: [true, false],
      none: [],
      gaps: [1, null, 3],
      items: [{}, { name: "" }],
      rows,
    };
    expect(await run(language, write(requestWith(data)))).toEqual({ code: 0, stderr: "" });
    expect(received[0]?.body).toEqual({ template: "social/quote", data });
  });

  it("sends any Unicode text", async () => {
    const texts = fc.sample(
      fc.oneof(fc.string({ unit: "binary", maxLength: 30 }), fc.string({ unit: "grapheme", maxLength: 20 })),
      { numRuns: 400, seed: 5 },
    );
    const data = Object.fromEntries(texts.map((text, index) => [`f${index}`, text]));
    expect(await run(language, write(requestWith(data)))).toEqual({ code: 0, stderr: "" });
    expect(received[0]?.body).toEqual({ template: "social/quote", data });
  });

  it("sends no data without edits", async () => {
    expect((await run(language, write(requestWith({})))).code).toBe(0);
    expect(received[0]?.body).toEqual({ template: "social/quote" });
  });

  it("reads images from files", async () => {
    const image = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 256));
    const file = "it's my $photo #1.png";
    writeFileSync(join(dir, file), image);
    const data = { portrait: { file, mediaType: "image/png" }, ...VALUES };
    const request = requestWith(data);
    expect(hasImages(request)).toBe(true);
    expect(await run(language, write(request))).toEqual({ code: 0, stderr: "" });
    const url = `data:image/png;base64,${image.toString("base64")}`;
    expect(received[0]?.body).toEqual({ template: "social/quote", data: { ...VALUES, portrait: url } });
    expect(write(request)).not.toContain(url.slice(22, 60));
  });

  it("reads the token from the environment, and says where to create one", async () => {
    const code = write(requestWith({ quote: "x" }, { needsToken: true }));
    expect(code).toContain(`${origin}/tokens`);
    expect(await run(language, code, { PLATEN_TOKEN: TOKEN })).toEqual({ code: 0, stderr: "" });
    expect(received[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}` });
  });

  it("fails when the service refuses", async () => {
    refusal = '{"error":{"code":"invalid_data"}}';
    const ran = await run(language, write(requestWith({ quote: "x" })));
    expect(ran.code).not.toBe(0);
    const said = [
      ran.stderr,
      ...readdirSync(dir)
        .filter((name) => name.endsWith(".png"))
        .map((name) => readFileSync(join(dir, name), "utf8")),
    ];
    expect(said.join("\n")).toContain("invalid_data");
  });

  it("is highlighted without changing a character", () => {
    const code = write(requestWith(VALUES, { needsToken: true }));
    expect(
      codeTokens(code)
        .map(({ text }) => text)
        .join(""),
    ).toBe(code);
  });
});
