import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { BUILD_DIR, PROJECT_DIR } from "#lib/config.ts";

type Ported = { name: string; files: Record<string, string> };

type PortedCards = { nextOg: string; html: string; ported: Ported[] };

/** The cards of `docs/porting.md`, as they were, and as the files of a template. */
export function readPortedCards(): PortedCards {
  const document = readFileSync(join(PROJECT_DIR, "docs/porting.md"), "utf8");
  const blocks = Array.from(document.matchAll(/^```\w+\n([\s\S]*?)^```/gm), ([, code = ""]) => code);
  const [nextOg = "", ...rest] = blocks;
  const [html = ""] = rest.splice(4, 1);
  const ported = ["og", "html"].map((name, index) => {
    const [manifest = "", content = "", markup = "", css = ""] = rest.slice(index * 4);
    const files = { "template.json": manifest, "content.json": content, "template.html": markup, "style.css": css };
    return { name, files };
  });
  return { nextOg, html, ported };
}

/** Writes the ported cards as templates, `og` and `html`. */
export function writePortedCards(dir: string): void {
  for (const { name, files } of readPortedCards().ported) {
    mkdirSync(join(dir, name), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, name, file), text);
  }
}

type Compiler = {
  loadBindings(): Promise<unknown>;
  transform(code: string, options: object): Promise<{ code: string }>;
};

/** Runs a route of `next/og`, which Next.js compiles. @returns the PNG */
export async function runNextOg(source: string): Promise<Buffer> {
  const compiler = createRequire(import.meta.url)("next/dist/build/swc/index.js") as Compiler;
  await compiler.loadBindings();
  const jsc = {
    parser: { syntax: "typescript", tsx: true },
    target: "es2022",
    transform: { react: { runtime: "automatic" } },
  };
  const { code } = await compiler.transform(source, { filename: "route.tsx", jsc, module: { type: "es6" } });
  // Below the project, so that the route finds its packages.
  mkdirSync(BUILD_DIR, { recursive: true });
  const dir = mkdtempSync(join(BUILD_DIR, "next-og-"));
  try {
    const file = join(dir, "route.mjs");
    writeFileSync(file, code.replace('"next/og"', '"next/og.js"'));
    const { GET } = (await import(/* @vite-ignore */ file)) as { GET(request: Request): Response };
    return Buffer.from(await GET(new Request("https://example.org/og")).arrayBuffer());
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
