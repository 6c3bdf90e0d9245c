import { expect, it } from "vitest";
import config from "../../next.config.ts";

/** The patterns of the header `Accept` with which a page of the documentation is answered as Markdown. */
async function patterns(): Promise<string[]> {
  const rewrites = await config.rewrites?.();
  if (rewrites === undefined || Array.isArray(rewrites)) throw new Error("There are no rewrites before files.");
  return (rewrites.beforeFiles ?? []).flatMap(({ has = [] }) => has.map(({ value }) => value ?? ""));
}

/** As Next asks. */
async function isPreferred(accept: string): Promise<boolean[]> {
  return (await patterns()).map((pattern) => new RegExp(`^${pattern}$`).test(accept));
}

it.each([
  ["text/markdown", true],
  ["text/markdown, text/html, */*", true],
  ["text/plain;q=0.9, text/markdown;q=0.8", true],
  ["text/html, text/markdown;q=0.9", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
  ["*/*", false],
  ["", false],
])("whoever accepts %j is answered in Markdown: %s", async (accept, isMarkdown) => {
  expect(new Set(await isPreferred(accept))).toEqual(new Set([isMarkdown]));
});

it.each(["text/html,", "text/markdow", "text/html,text/markdow,", "text/"])(
  "a header of 400,000 characters is read in less than half a second: %s",
  async (unit) => {
    const accept = unit.repeat(Math.ceil(400_000 / unit.length));
    // Processor time of this thread: what other processes take meanwhile is not the pattern's doing.
    const before = process.threadCpuUsage();
    await isPreferred(accept);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
  },
);
