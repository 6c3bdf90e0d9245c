import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

/** A path from the root of the tree, or a pattern of several. One that begins with a slash is the path of a request. */
const PATH = /^(?:app|lib|scripts|tests|templates|docs|public|drizzle|\.ci)\/[\w@.()[\]{}*,/-]+$/;

const exists = (path: string) => existsSync(path) || globSync(path).length > 0;

it.each(globSync(["README.md", "docs/*.md"]))("every path and every link in %s leads to a file", (document) => {
  const text = readFileSync(document, "utf8");
  const links = [...text.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => join(dirname(document), link));
  const words = text.replace(/\]\([^)]*\)/g, " ").split(/[\s`"'<>|]+/);
  const paths = words.map((word) => word.replace(/[.,:;]+$/, "")).filter((word) => PATH.test(word));
  expect([...links, ...paths].filter((path) => !exists(path))).toEqual([]);
});
