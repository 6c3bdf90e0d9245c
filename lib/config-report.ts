import { accessEnabled, adminConfig, read, variableNames } from "./config.ts";
import { type ConfigFault, faultsOf } from "./environment/config-error.ts";
import {
  accessSchema,
  auditSchema,
  buildSchema,
  databaseSchema,
  KNOWN_VARIABLES,
  logSchema,
  metricsSchema,
  renderSchema,
  serverSchema,
} from "./environment/variables.ts";
import { nearestName } from "./nearest-name.ts";

export type ConfigReport = {
  /** Faults that make it impossible to listen. */
  fatal: ConfigFault[];
  /** Faults with which the server starts, and answers every render 503 `misconfigured`. */
  render: ConfigFault[];
  /** Faults with which the server starts, and a part of the access layer does not work. Empty in open mode, which has none. */
  access: ConfigFault[];
  /** Names that look like ours and mean nothing. */
  unknown: ConfigFault[];
};

/** Every fault of the whole environment at once. */
export function configReport(): ConfigReport {
  const unknown = variableNames()
    .filter((name) => name.startsWith("SERVICE_") && !KNOWN_VARIABLES.includes(name))
    .map((name) => {
      const nearest = nearestName(name, KNOWN_VARIABLES);
      return { variable: name, message: `unknown, and ignored.${nearest ? ` Did you mean ${nearest}?` : ""}` };
    });
  return {
    fatal: [
      ...faultsOf(read(serverSchema).error),
      ...faultsOf(read(logSchema).error),
      ...faultsOf(read(metricsSchema).error),
      ...faultsOf(read(buildSchema).error),
    ],
    render: faultsOf(read(renderSchema).error),
    access: accessEnabled()
      ? [databaseSchema, accessSchema, auditSchema].flatMap((s) => faultsOf(read(s).error)).concat(adminConfig().faults)
      : [],
    unknown,
  };
}
