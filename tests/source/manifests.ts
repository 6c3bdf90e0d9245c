import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";

/** One object of Kubernetes, as a file declares it. */
export type Manifest = { apiVersion: string; kind: string; metadata?: { name?: string } };

/** All objects of a file. */
export function readManifests(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(file, "utf8")).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join("\n")}`);
    return document.toJS({ maxAliasCount: 10 }) as Manifest;
  });
}

/** The module of Kubernetes' types for a manifest. */
function typeOf({ apiVersion, kind }: Manifest): string {
  const [version = "", group = "core"] = apiVersion.split("/").toReversed();
  return `import("kubernetes-types/${group.split(".")[0]}/${version}").${kind}`;
}

/** What TypeScript says about manifests: unknown keys, missing ones and wrong types. */
export function typeFaults(checked: Manifest[]): string[] {
  mkdirSync("node_modules/.cache", { recursive: true });
  const dir = mkdtempSync("node_modules/.cache/platen-manifests-");
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const lines = checked.map((manifest) => `(${JSON.stringify(manifest)}) satisfies ${typeOf(manifest)};\n`);
  writeFileSync(join(dir, "manifests.ts"), ["export {};\n", ...lines].join(""));
  const compilerOptions = { strict: true, noEmit: true, module: "esnext", moduleResolution: "bundler", types: [] };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["manifests.ts"] }));
  try {
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", dir], { encoding: "utf8" });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split("\n").filter((line) => line.includes(": error "));
  }
}
