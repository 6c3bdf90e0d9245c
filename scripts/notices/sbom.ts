import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { z } from "zod";
import { HelpRequest, runCommand } from "#scripts/run-command.ts";
import manifest from "../../package.json" with { type: "json" };
import { label, shippedPackages } from "./lockfile.ts";

const USAGE = `Writes a CycloneDX document of every package that an installation contains to standard output.

  npm run --silent sbom > sbom.json`;

const Component = z.looseObject({
  "bom-ref": z.string(),
  name: z.string(),
  version: z.string(),
  group: z.string().optional(),
});

const Sbom = z.looseObject({
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

const COMMAND = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"];

const MOST_BYTES = 100_000_000;

const labelOf = ({ name, version, group }: z.infer<typeof Component>) =>
  label({ name: group ? `${group}/${name}` : name, version });

/** `npm sbom --omit=dev` leaves out shipped packages that one for development uses too, such as zod, so this filters all of them. */
function describeInstallation(): object {
  const { components, dependencies, metadata, ...rest } = Sbom.parse(
    JSON.parse(execFileSync("npm", COMMAND, { encoding: "utf8", maxBuffer: MOST_BYTES })),
  );
  const shipped = new Set(shippedPackages(readFileSync("package-lock.json", "utf8")).map(label));
  const kept = components.filter((component) => shipped.has(labelOf(component)));
  const root = metadata.component["bom-ref"];
  const refs = new Set([root, ...kept.map((component) => component["bom-ref"])]);
  return {
    ...rest,
    // npm names the root after its folder.
    metadata: { ...metadata, component: { ...metadata.component, name: manifest.name } },
    components: kept,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => refs.has(ref)) })),
  };
}

await runCommand(async () => {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help) throw new HelpRequest(USAGE);
  console.log(JSON.stringify(describeInstallation(), null, 2));
});
