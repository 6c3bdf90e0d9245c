/** A fault of one environment variable. The message is of the form `got …, want …`. */
export type ConfigFault = { variable: string; message: string };

/** Thrown with every fault of the configuration section that was read. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly faults: ConfigFault[];

  constructor(faults: ConfigFault[]) {
    super(`The environment is not usable:\n${faults.map((f) => `  ${f.variable}: ${f.message}`).join("\n")}`);
    this.faults = faults;
  }
}
