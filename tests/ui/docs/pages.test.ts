import { marked } from "marked";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { getRegistry } from "#lib/templates/registry.ts";
import { ERROR_REFERENCE } from "../../../app/docs/content/error-reference.ts";
import { writeLlms } from "../../../app/docs/content/llms.ts";
import { DOC_PAGES, documentOf, writePage } from "../../../app/docs/doc-pages.ts";
import { parseMarkdown } from "../../../app/docs/markdown/parse.ts";
import { send } from "../../app/client.ts";
import { errorOf, expectSafeHeaders } from "../../http/requests.ts";
import { sourcesOf } from "./sources.ts";

beforeAll(async () => {
  await getRegistry();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g;

/** Text without code blocks, in which nothing is a link. */
function proseOf(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, "");
}

describe.each([true, false])("with the access layer on: %s", (isGuarded) => {
  it("every link within the documentation leads to a page and a heading of it", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", String(isGuarded));
    const sources = sourcesOf({ isGuarded });
    const [template] = await sources.templates();
    const paths = [...DOC_PAGES.map(({ path }) => path), `/docs/api/${template?.slug}`];
    let count = 0;
    for (const from of paths) {
      const page = await writePage(from, sources);
      for (const [, href = ""] of proseOf(page?.body ?? "").matchAll(LINK)) {
        const [path, anchor] = href.split("#") as [string, string | undefined];
        if (path !== "" && !/^\/docs(?:\/|$)/.test(path)) continue;
        count += 1;
        const target = path === "" ? page : await writePage(path, sources);
        expect(target, `${from} links to ${href}`).toBeDefined();
        if (anchor === undefined) continue;
        const ids = parseMarkdown(target?.body ?? "").headings.map(({ id }) => id);
        expect(ids, `${from} links to ${href}`).toContain(anchor);
      }
    }
    expect(count).toBeGreaterThan(40);
  });

  it("the remedy of invalid_data links to the list of templates with their fields", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", String(isGuarded));
    const anchor = /\[reference of its template\]\(\/docs\/api#([^)]+)\)/.exec(
      ERROR_REFERENCE.invalid_data.remedy,
    )?.[1];
    const reference = await writePage("/docs/api", sourcesOf({ isGuarded }));
    const { headings } = parseMarkdown(reference?.body ?? "");
    expect(headings.find(({ id }) => id === anchor)?.text).toBe("Templates and their fields");
  });

  it("no page has a second title, or a link to a file of the repository", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", String(isGuarded));
    for (const { path } of DOC_PAGES) {
      const page = await writePage(path, sourcesOf({ isGuarded }));
      if (page === undefined) throw new Error(`${path} is not there.`);
      expect(parseMarkdown(page.body).headings.filter(({ depth }) => depth === 1)).toEqual([]);
      const hrefs = [...proseOf(page.body).matchAll(LINK)].map(([, href]) => href);
      expect(hrefs.filter((href) => !/^(?:#|\/|https?:)/.test(href ?? ""))).toEqual([]);
      expect(documentOf(page).startsWith(`# ${page.title}\n\n`)).toBe(true);
    }
  });

  it("no part of a page is empty, so that each has a key of its own", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", String(isGuarded));
    const sources = sourcesOf({ isGuarded });
    const [template] = await sources.templates();
    for (const path of [...DOC_PAGES.map(({ path }) => path), `/docs/api/${template?.slug}`]) {
      const raws: string[] = [];
      marked.walkTokens(parseMarkdown((await writePage(path, sources))?.body ?? "").tokens, ({ raw }) => {
        raws.push(raw);
      });
      expect(raws.length).toBeGreaterThan(10);
      expect(raws, path).not.toContain("");
    }
  });
});

it("credentials are mentioned only where they are needed", async () => {
  for (const isGuarded of [true, false]) {
    const page = await writePage("/docs", sourcesOf({ isGuarded }));
    expect(page?.body.includes('-H "Authorization: Bearer $PLATEN_TOKEN"')).toBe(isGuarded);
    expect((await writeLlms(sourcesOf({ isGuarded }))).includes("Bearer")).toBe(isGuarded);
  }
});

it("llms.txt has a title, a summary, and sections that hold nothing but links with their notes", async () => {
  const [head = "", ...sections] = (await writeLlms(sourcesOf({ isGuarded: false }))).split(/^## /m);
  expect(head).toMatch(/^# Platen\n\n> .+\n\n/);
  expect(sections.length).toBeGreaterThan(2);
  for (const section of sections) {
    const [, ...lines] = section.trim().split("\n");
    for (const line of lines.filter(Boolean)) expect(line).toMatch(/^- \[[^\]]+\]\(\/\S+\): .+$/);
  }
});

it("llms.txt links to the configured origin", async () => {
  vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "https://cards.example.org");
  const text = await (await send("GET", "/llms.txt")).text();
  expect(text).toContain("`POST https://cards.example.org/api/service/images/render`");
  expect(text).toContain("](https://cards.example.org/docs/api.md): ");
});

describe("the documentation as Markdown", () => {
  it("is answered with its content type", async () => {
    const response = await send("GET", "/api/docs/errors");
    expectSafeHeaders(response);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(await response.text()).toMatch(/^# Errors and warnings\n/);
    const llms = await send("GET", "/llms.txt");
    expect(llms.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  it("is 404 for a path without a page", async () => {
    for (const path of ["/api/docs/nothing", "/api/docs/api/no/such", "/api/docs/api/__proto__"]) {
      const response = await send("GET", path);
      expect([path, response.status, (await errorOf(response)).code]).toEqual([path, 404, "not_found"]);
    }
  });

  it("needs a session with the access layer on", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    for (const path of ["/api/docs", "/api/docs/errors", "/llms.txt"]) {
      expect([path, (await send("GET", path)).status]).toEqual([path, 401]);
    }
  });
});
