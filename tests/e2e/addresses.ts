import { globSync } from "node:fs";
import { DOC_PAGES, TEMPLATE_PAGES } from "../../app/docs/doc-pages.ts";
import type { Answer, Client } from "./client.ts";

/** Values for the dynamic segments of an address. */
const SEGMENTS: Record<string, string> = {
  "[id]": "0199f000-0000-7000-8000-000000000000",
  "[...slug]": "social/quote",
  "[[...page]]": "errors",
  "[[...path]]": "nothing",
  "[...link]": "web/unsigned/e30.png",
};

/** The address of a page or a route in a folder of `app`. @throws Error for a dynamic segment without a value */
export function addressOf(folder: string): string {
  const segments = folder.split("/").filter((segment) => segment !== "" && !segment.startsWith("("));
  const address = `/${segments.map((segment) => SEGMENTS[segment] ?? segment).join("/")}`;
  if (address.includes("[")) throw new Error(`Got ${address}, want a value for each dynamic segment`);
  return address;
}

const DOCS = [...DOC_PAGES.map(({ path }) => path), `${TEMPLATE_PAGES}${SEGMENTS["[...slug]"]}`];

/** Every page but the one for addresses without a page. Those of the documentation share one file. */
export const PAGES = globSync("app/**/page.tsx")
  .filter((file) => !file.startsWith("app/[...missing]/"))
  .flatMap((file) => (file.startsWith("app/docs/") ? DOCS : addressOf(file.slice("app".length, -"/page.tsx".length))));

type Visit = { cookie?: string | undefined; headers?: Record<string, string> };

/** Requests a page. Next redirects a request for its data to an address with a hash of the headers, which this follows. */
export async function visit(client: Client, path: string, asked: Visit = {}): Promise<Answer> {
  const answer = await client.ask("GET", path, asked);
  const { location } = answer.headers;
  return typeof location === "string" && /[?&]_rsc\b/.test(location) ? client.ask("GET", location, asked) : answer;
}
