import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { Finding } from "./finding.ts";

/** What is said of a part that cannot be looked at: that is no reason to tell nothing of the others. */
export function failed(error: unknown): Finding {
  if (error instanceof AppError && error.code === "misconfigured") {
    const remedy = "Set the variable that is named here or under Configuration, and start again.";
    return { state: "error", summary: error.message, remedy };
  }
  if (error instanceof AppError && error.code !== "internal") {
    const remedy = "Do what is said here. The server's log may say more.";
    return { state: "error", summary: error.message, remedy };
  }
  if (error instanceof Error && error.name === "ConfigError") {
    const remedy = "Mend the variables that are named under Configuration, and start again.";
    return { state: "error", summary: "This depends on variables that cannot be used.", remedy };
  }
  log().error({ err: error }, "A part of the status cannot be looked at.");
  return { state: "error", summary: "This could not be looked at.", remedy: "The server's log says why." };
}
