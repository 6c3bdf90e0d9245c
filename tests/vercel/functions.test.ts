import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packFonts } from "#lib/fonts/archive.ts";
import { currentFonts } from "#lib/fonts/font-set.ts";
import { linkPath } from "#lib/links/sign-link.ts";
import { StatusReport } from "#lib/schemas/status-report.ts";
import type { TemplateSummary } from "#lib/schemas/template.ts";
import { requireOneRenderer } from "#scripts/build/traced-size.ts";
import { type VercelFunction, vercelFunctions } from "#scripts/build/vercel-functions.ts";
import { RENDER } from "#tests/e2e/answers.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { dataUrl, picture } from "#tests/images/files.ts";
import { KEY, LINK_KEYS } from "#tests/links/links.ts";
import { FunctionFolder, type RunningFunction } from "./function.ts";

/** For the functions and the server alike. A cold start on a busy machine may take minutes. */
const ENV = {
  SERVICE_RENDER_PNG: "fast",
  SERVICE_RENDER_WORKERS: "1",
  SERVICE_RENDER_TIMEOUT_MS: "300000",
  SERVICE_LINK_KEYS: LINK_KEYS,
};

/** A text in two scripts, with words to hyphenate. */
const CARD = {
  template: "social/quote",
  data: { quote: "Eine Straßenverkehrszulassungsordnung 今日はとても天気がいい 😀" },
};

/** A photo whose focal point is looked for. */
async function cardWithPhoto() {
  const jpeg = await picture(640, 480).jpeg().toBuffer();
  return { template: "blog/article", data: { title: "A photo", cover: dataUrl("jpeg", jpeg) } };
}

const folder = new FunctionFolder();
let functions: VercelFunction[];
let rendering: RunningFunction;
let other: RunningFunction;
let service: Service;

function postJson(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** Whether a route answers 200 with a text. */
async function findIn({ ask }: RunningFunction, route: string, path: string, word: string): Promise<boolean> {
  const response = await ask(route, path);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.text()).includes(word);
}

beforeAll(async () => {
  // A build for Vercel compresses the fonts before Next traces, this one does not.
  await packFonts();
  functions = vercelFunctions(process.cwd());
  const fonts = relative(process.cwd(), currentFonts().archive);
  for (const { files } of functions) if ([...files].some((file) => file.endsWith("/chromium.br"))) files.add(fonts);
  const renderer = requireOneRenderer(functions);
  const [rest] = functions.filter((one) => one !== renderer);
  rendering = await folder.start(await folder.write(renderer), ENV);
  other = await folder.start(await folder.write(rest as VercelFunction), ENV);
  service = await startService(ENV);
});

afterAll(async () => {
  await service?.stop();
  await folder.remove();
});

describe("the function that renders", () => {
  it("renders every template to the same bytes as the server, from files that it cannot change", async () => {
    expect(await folder.isWritable(rendering.dir)).toBe(false);
    const templates = (await (await fetch(`${service.origin}/api/service/templates`)).json()) as TemplateSummary[];
    expect(templates.length).toBeGreaterThan(20);
    for (const body of [CARD, await cardWithPhoto(), ...templates.map(({ slug }) => ({ template: slug }))]) {
      const [own, served] = await Promise.all([
        rendering.ask(RENDER, RENDER, postJson(body)),
        fetch(service.origin + RENDER, postJson(body)),
      ]);
      expect([body.template, own.status, own.headers.get("content-type")]).toEqual([body.template, 200, "image/png"]);
      const isSame = (await bytesOf(own)).equals(await bytesOf(served));
      expect([body.template, isSame]).toEqual([body.template, true]);
    }
  });

  it("answers a link with the bytes of its render, and makes thumbnails", async () => {
    const picture = await bytesOf(await rendering.ask(RENDER, RENDER, postJson(CARD)));
    const link = await rendering.ask("/api/service/links/[...link]", linkPath(CARD, KEY));
    expect([link.status, (await bytesOf(link)).equals(picture)]).toEqual([200, true]);
    const path = "/api/service/thumbnails/social/quote?width=320";
    const thumbnail = await rendering.ask("/api/service/thumbnails/[...slug]", path);
    expect([thumbnail.status, thumbnail.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect((await bytesOf(thumbnail)).subarray(8, 12).toString()).toBe("WEBP");
  });

  it("is ready, and reports on its browser", async () => {
    // On a busy machine a browser may just be replaced.
    await expect.poll(async () => (await rendering.ask("/readyz")).status).toBe(200);
    const stateOf = async (wanted: string) => {
      const { checks } = StatusReport.parse(await (await rendering.ask("/api/service/status")).json());
      return checks.find(({ id }) => id === wanted)?.state;
    };
    await expect.poll(() => stateOf("browser")).toBe("ok");
    expect(await stateOf("fonts")).toBe("ok");
  });
});

describe("the function that does not render", () => {
  it("serves pages, templates and the documentation from its own files", async () => {
    const pages = [
      ["/", "/", "social/quote"],
      ["/templates/[...slug]", "/templates/social/quote", 'name="quote"'],
      ["/docs/[[...path]]", "/docs/templates", "template.json"],
      ["/api/docs/[[...page]]", "/api/docs/errors", "invalid_request"],
      ["/api/service/templates", "/api/service/templates", "social/quote"],
      ["/healthz", "/healthz", "ok"],
    ];
    for (const [route = "", path = "", word = ""] of pages) expect(await findIn(other, route, path, word)).toBe(true);
  });

  it("lets the browser ask the other function for the status", async () => {
    expect(await findIn(other, "/status", "/status", "Asking the function that renders")).toBe(true);
  });

  it("has no Chromium, and unpacks and writes nothing", () => {
    const files = readdirSync(other.dir, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => file.includes("chromium/bin") || file.endsWith(".ttf"))).toEqual([]);
    expect(readdirSync(other.temp)).toEqual([]);
    expect(readdirSync(join(rendering.temp, "platen"))).toContain("fonts");
    expect(other.output()).not.toContain('"level":"error"');
  });
});
