import { readFileSync } from "node:fs";
import { parse } from "yaml";

type ComposeService = {
  image: string;
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
  /** A variable without a value is taken from the environment of Compose, where that has it. */
  environment?: Record<string, string | null>;
  healthcheck?: { test?: string[] };
  ports?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  volumes?: string[];
};

export type ComposeFile = {
  name: string;
  services: Record<"postgres" | "migrate" | "platen" | "nginx", ComposeService>;
};

/** What Compose reads from `deploy/.env`. */
export type ComposeVariables = Record<string, string>;

/** Replaces `${NAME:-default}` and `${NAME:?message}`, the two forms in the file. @throws Error with the message of the latter */
function interpolate(text: string, variables: ComposeVariables): string {
  return text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, form: string, rest: string) => {
    const value = variables[name];
    if (!value && form === "?") throw new Error(`${name} ${rest}`);
    return value || rest;
  });
}

/** Reads `deploy/compose.yaml` as Compose does with these variables. @throws Error where one that it needs is missing */
export function readCompose(variables: ComposeVariables): ComposeFile {
  const file = parse(readFileSync("deploy/compose.yaml", "utf8"), { merge: true });
  return JSON.parse(JSON.stringify(file), (_, value) =>
    typeof value === "string" ? interpolate(value, variables) : value,
  );
}

/** The environment that Compose gives a container. */
export function composeEnvironment({ environment = {} }: ComposeService, variables: ComposeVariables) {
  const entries = Object.entries(environment).map(([name, value]) => [name, value ?? variables[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
