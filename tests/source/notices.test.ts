import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inventory, isFont, label, shippedPackages } from "#scripts/notices/lockfile.ts";

const lockfile = readFileSync("package-lock.json", "utf8");

it("THIRD_PARTY_NOTICES names every shipped package in its version, and no other (npm run notices writes it again)", () => {
  const notices = readFileSync("THIRD_PARTY_NOTICES", "utf8");
  const list = /^Packages\n=+\n\n([\s\S]*?)\n\n=/m.exec(notices)?.[1];
  expect(list?.split("\n")).toEqual(inventory(shippedPackages(lockfile)).split("\n"));
});

it("THIRD_PARTY_NOTICES has a copyright line of every font, and a licence of every other package", () => {
  const notices = readFileSync("THIRD_PARTY_NOTICES", "utf8").split("\n");
  // The first line of a package is that of the list.
  const others = notices.slice(notices.indexOf("Fonts"));
  const packages = shippedPackages(lockfile);
  const named = new Set(others.map((line) => line.split(/[:,]/)[0]));
  expect(packages.filter((each) => !named.has(label(each))).map(label)).toEqual([]);
  const copyrights = packages.filter(isFont).map((font) => others.find((line) => line.startsWith(`${label(font)}: `)));
  expect(copyrights.filter((line) => !/Copyright .*\d{4}/i.test(line ?? ""))).toEqual([]);
});

it("npm run sbom lists the same packages", () => {
  const sbom = JSON.parse(execFileSync(process.execPath, ["scripts/notices/sbom.ts"], { encoding: "utf8" }));
  const labels = sbom.components.map((each: { name: string; group?: string; version: string }) =>
    label({ ...each, name: each.group ? `${each.group}/${each.name}` : each.name }),
  );
  expect(labels.toSorted()).toEqual(shippedPackages(lockfile).map(label));
  expect(sbom.metadata.component).toMatchObject({ name: "platen" });
});

it("packages for development are not listed", () => {
  const packages = {
    "": { version: "1.0.0" },
    "node_modules/a": { version: "1.0.0", license: "MIT" },
    "node_modules/b": { version: "1.0.0", license: "MIT", dev: true },
    "node_modules/c": { version: "1.0.0", license: "MIT", devOptional: true },
    "node_modules/a/node_modules/@d/e": { version: "2.0.0", license: "ISC", os: ["linux"] },
  };
  const shipped = shippedPackages(JSON.stringify({ packages }));
  expect(shipped.map(({ isForPlatform }) => isForPlatform)).toEqual([true, false]);
  expect(inventory(shipped)).toBe("@d/e 2.0.0: ISC\na 1.0.0: MIT");
});

it("a package without a licence is a fault", () => {
  const packages = { "node_modules/a": { version: "1.0.0" } };
  expect(() => shippedPackages(JSON.stringify({ packages }))).toThrow("package-lock.json states no licence of a.");
});
