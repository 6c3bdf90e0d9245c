import type { z } from "zod";

/** A fault of the environment: which variable, and what was got against what is wanted. */
export type ConfigFault = { variable: string; message: string };

/** Thrown with every fault of the part that was read, never only the first. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly faults: ConfigFault[];

  constructor(faults: ConfigFault[]) {
    super(`The environment is not usable:\n${faults.map((f) => `  ${f.variable}: ${f.message}`).join("\n")}`);
    this.faults = faults;
  }
}

/** What a schema of variables found wrong; nothing where it found nothing. */
export function faultsOf(error: z.ZodError | undefined): ConfigFault[] {
  return (error?.issues ?? []).map((issue) => ({ variable: String(issue.path[0]), message: issue.message }));
}
