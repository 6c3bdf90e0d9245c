import { accessEnabled, adminConfig, faultsOf, renderFaults, variableNames } from "./config.ts";
import type { ConfigFault } from "./environment/config-error.ts";
import { ACCESS, AUDIT, BUILD, DATABASE, LOG, METRICS, SERVER, VARIABLES } from "./environment/variables.ts";
import { nearestName } from "./nearest-name.ts";

export type ConfigReport = {
  /** Faults with which the server does not start. */
  fatal: ConfigFault[];
  /** Faults with which the server starts and answers every render 503 `misconfigured`. */
  render: ConfigFault[];
  /** Faults with which the server starts and a part of the access layer does not work. Empty in open mode. */
  access: ConfigFault[];
  /** Variables that start with `SERVICE_` and are not known. */
  unknown: ConfigFault[];
};

function unknownVariables(): ConfigFault[] {
  return variableNames()
    .filter((name) => name.startsWith("SERVICE_") && !VARIABLES.has(name))
    .map((name) => {
      const nearest = nearestName(name, [...VARIABLES.keys()]);
      return { variable: name, message: `unknown, and ignored.${nearest ? ` Did you mean ${nearest}?` : ""}` };
    });
}

/** Reports every fault of the whole environment at once. */
export function configReport(): ConfigReport {
  return {
    fatal: [SERVER, LOG, METRICS, BUILD].flatMap(faultsOf),
    render: renderFaults(),
    access: accessEnabled() ? [...[DATABASE, ACCESS, AUDIT].flatMap(faultsOf), ...adminConfig().faults] : [],
    unknown: unknownVariables(),
  };
}
