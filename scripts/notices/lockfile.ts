import { z } from "zod";

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      os: z.unknown().optional(),
      cpu: z.unknown().optional(),
    }),
  ),
});

/** A package that is installed with the service. */
export type ShippedPackage = {
  name: string;
  version: string;
  /** An SPDX expression. */
  license: string;
  /** Its folder, relative to the root. */
  path: string;
  /** Whether only some platforms install it. */
  isForPlatform: boolean;
};

const FONTS = /^@(?:expo-google-fonts|fontsource|fontsource-variable)\//;

export const isFont = ({ name }: ShippedPackage) => FONTS.test(name);

/** The name and version of a package, as the notices write it. */
export const label = ({ name, version }: Pick<ShippedPackage, "name" | "version">) => `${name} ${version}`;

/**
 * The packages of a package-lock.json without those for development, by name, each version once.
 * @throws Error when one of them states no licence
 */
export function shippedPackages(lockfile: string): ShippedPackage[] {
  const { packages } = Lockfile.parse(JSON.parse(lockfile));
  const shipped = Object.entries(packages)
    // A `devOptional` package is one for development that a shipped one could use.
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
    .map(([path, { version = "", license, os, cpu }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      if (!license) throw new Error(`package-lock.json states no licence of ${name}.`);
      return { name, version, license, path, isForPlatform: (os ?? cpu) !== undefined };
    });
  const byLabel = new Map(shipped.map((each) => [label(each), each]));
  return [...byLabel.values()].toSorted((a, b) => (label(a) < label(b) ? -1 : 1));
}

/** The list at the beginning of the notices: a line for each package. */
export function inventory(packages: ShippedPackage[]): string {
  return packages.map((each) => `${label(each)}: ${each.license}`).join("\n");
}
