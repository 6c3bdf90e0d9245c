import { execFileSync } from "node:child_process";

/** Installs the generators. They need a TypeScript before version 7, so they cannot be packages of the project itself. */
export default function installGenerators(): void {
  execFileSync("npm", ["ci"], { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] });
}
