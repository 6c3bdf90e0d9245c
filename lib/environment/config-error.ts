/** A fault of one environment variable. The message is of the form `got …, want …`. */
export type ConfigFault = { variable: string; message: string };

const NAME = "ConfigError";

/** Thrown with every fault of the configuration section that was read. */
export class ConfigError extends Error {
  override name = NAME;
  readonly faults: ConfigFault[];

  constructor(faults: ConfigFault[]) {
    super(`The environment is not usable:\n${faults.map((f) => `  ${f.variable}: ${f.message}`).join("\n")}`);
    this.faults = faults;
  }

  /** Makes `instanceof` compare the shape, as for `AppError`. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === NAME && "faults" in value;
  }
}
