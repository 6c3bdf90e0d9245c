import { type RenderConfig, renderConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";

/** Names each variable and what it wants. Its value is for the operator and the log only. */
function misconfigured(error: ConfigError): AppError {
  const wants = error.faults.map(
    ({ variable, message }) => `${variable}: ${message.slice(Math.max(0, message.lastIndexOf("want ")))}`,
  );
  return new AppError("misconfigured", `The service is not configured to render. ${wants.join("; ")}.`);
}

/** The configuration of renders. @throws AppError `misconfigured`, with every variable that is wrong and what it wants */
export function requireRenderConfig(): RenderConfig {
  try {
    return renderConfig();
  } catch (error) {
    throw error instanceof ConfigError ? misconfigured(error) : error;
  }
}
