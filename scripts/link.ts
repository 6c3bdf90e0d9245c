import { parseArgs } from "node:util";
import { hostConfig, serverConfig } from "#lib/config.ts";
import { origin as readOrigin } from "#lib/environment/kinds.ts";
import type { LinkKey } from "#lib/environment/link-keys.ts";
import { linkKeys } from "#lib/link-config.ts";
import { linkPath } from "#lib/links/sign-link.ts";
import { LinkPayload } from "#lib/schemas/link.ts";
import { loadEnvironment } from "./environment.ts";
import { readData } from "./render/read-data.ts";
import { HelpRequest, runCommand, UsageError } from "./run-command.ts";

const USAGE = `Signs a link: the address of a picture, for pages and e-mails. It asks no server.

  npm run link -- <template> [--data <json>] [--variant <name>] [--expires <when>] [--fallback <name>] [--unchecked]

  --data <json>      edits as JSON; @edits.json reads a file, - reads standard input
  --variant <name>   a variant of the template; without it, the default variant
  --expires <when>   30d, 12h or 90m from now, or a time such as 2027-01-31T12:00Z; without it, the link has no end
  --fallback <name>  a variant that is drawn as it is when the edits cannot be drawn
  --key <id>         the key of SERVICE_LINK_KEYS that signs; without it, the first one
  --origin <origin>  of the service; without it, SERVICE_PUBLIC_ORIGIN, or this machine
  --unchecked        signs for a service with other templates; without it, the template, its variants and the edits are
                     checked against the templates that this machine has`;

const UNIT_SECONDS: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

/** Unix seconds. @throws UsageError */
function readExpiry(text: string): number {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const seconds = count ? Date.now() / 1_000 + Number(count) * (UNIT_SECONDS[unit] ?? 0) : Date.parse(text) / 1_000;
  if (seconds > Date.now() / 1_000) return Math.floor(seconds);
  throw new UsageError(
    `Got --expires "${text}", want a time to come: 30d, 12h, 90m, or one such as 2027-01-31T12:00Z.`,
  );
}

/** @throws UsageError where there is no such key */
function findKey(id: string | undefined): LinkKey {
  const keys = linkKeys();
  const key = id === undefined ? keys[0] : keys.find((candidate) => candidate.id === id);
  if (key) return key;
  if (keys.length > 0)
    throw new UsageError(`Got --key "${id}", want ${keys.map((known) => `"${known.id}"`).join(" or ")}.`);
  throw new UsageError(
    'SERVICE_LINK_KEYS is not set. Set it for this command and for the server, such as SERVICE_LINK_KEYS="web:$(openssl rand -hex 32)".',
  );
}

/** The path of a link. @throws UsageError for a payload that is too long */
function sign(link: LinkPayload, key: LinkKey): string {
  try {
    return linkPath(link, key);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** @throws UsageError with every fault, for a link that the templates of this machine refuse */
async function requireDrawable(link: LinkPayload): Promise<void> {
  // Late, because it loads the renderer, which takes most of a second.
  const { linkFaults } = await import("./link/check-link.ts");
  const faults = await linkFaults(link);
  if (faults.length === 0) return;
  const lines = faults.map((fault) => `  ${fault}`).join("\n");
  throw new UsageError(
    `The link is not signed:\n${lines}\nCorrect it, or sign it with --unchecked for a service with other templates.`,
  );
}

function ownOrigin(): string {
  return hostConfig().publicOrigin ?? `http://localhost:${serverConfig().port}`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: "string" },
      variant: { type: "string" },
      expires: { type: "string" },
      fallback: { type: "string" },
      key: { type: "string" },
      origin: { type: "string" },
      unchecked: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  const [template, ...rest] = positionals;
  if (values.help) throw new HelpRequest(USAGE);
  if (template === undefined || rest.length > 0) throw new UsageError(USAGE);
  loadEnvironment("production");
  const { variant, fallback, expires } = values;
  const link = LinkPayload.safeParse({
    template,
    variant,
    data: readData(values.data),
    expires: expires === undefined ? undefined : readExpiry(expires),
    fallback,
  });
  if (!link.success)
    throw new UsageError(link.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  const origin = values.origin === undefined ? ownOrigin() : readOrigin(values.origin);
  const path = sign(link.data, findKey(values.key));
  if (!values.unchecked) await requireDrawable(link.data);
  console.log(origin + path);
}

await runCommand(main);
