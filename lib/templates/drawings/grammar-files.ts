import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_LANGUAGES } from "./code-languages.ts";

const FOLDER = "node_modules/@shikijs/langs/dist";

/** Packages that the thread which colours code loads. No bundler sees them, because Node runs its file as it is. */
const PACKAGES = [
  ...["engine-javascript", "primitive", "types", "vscode-textmate"].map((name) => `@shikijs/${name}`),
  ...["oniguruma-to-es", "oniguruma-parser", "regex", "regex-recursion", "regex-utilities", "lru-cache"],
];

function addGrammar(name: string, files: Set<string>): void {
  if (files.has(name)) return;
  files.add(name);
  const source = readFileSync(join(FOLDER, `${name}.mjs`), "utf8");
  for (const [, other = ""] of source.matchAll(/from ["']\.\/([\w-]+)\.mjs["']/g)) addGrammar(other, files);
}

/** Patterns of the files that colour code, for a deployment: of the languages only those offered, and what they embed. */
export function highlightFiles(): string[] {
  const grammars = new Set<string>();
  for (const name of Object.keys(CODE_LANGUAGES)) addGrammar(name, grammars);
  return [
    "lib/templates/drawings/highlight-thread.ts",
    "node_modules/@shikijs/langs/package.json",
    `${FOLDER}/{${[...grammars].join(",")}}.mjs`,
    ...PACKAGES.map((name) => `node_modules/${name}/{package.json,{dist,src}/**/*.{js,mjs}}`),
  ];
}
