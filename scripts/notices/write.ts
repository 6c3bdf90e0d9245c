import { readFileSync, writeFileSync } from "node:fs";
import { noticesOf } from "./document.ts";
import { shippedPackages } from "./lockfile.ts";

// Writes THIRD_PARTY_NOTICES from package-lock.json and the installed packages. `npm run check` says when that is necessary.

const packages = shippedPackages(readFileSync("package-lock.json", "utf8"));
writeFileSync("THIRD_PARTY_NOTICES", noticesOf(packages));
console.log(`Wrote THIRD_PARTY_NOTICES: ${packages.length} packages.`);
