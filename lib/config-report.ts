import { accessEnabled, adminConfig, authValue, faultsOf, renderFaults, variableNames } from "./config.ts";
import type { ConfigFault } from "./environment/config-error.ts";
import {
  ACCESS,
  AUDIT,
  AUTH_VARIABLE,
  BODIES,
  DATABASE,
  INDEXING,
  LINKS,
  LOG,
  METRICS,
  SERVER,
  TEMPLATES,
  VARIABLES,
} from "./environment/variables.ts";
import { storeFaults } from "./link-config.ts";
import { nearestName } from "./nearest-name.ts";

export type ConfigReport = {
  /** Faults with which the server does not start. */
  fatal: ConfigFault[];
  /** Faults with which the server starts and answers every render 503 `misconfigured`. */
  render: ConfigFault[];
  /** Faults with which the server starts, and a part of the access layer does not work. In open mode, those of what counts as unset. */
  access: ConfigFault[];
  /** Why accounts are off although the environment seems to want them. */
  open: ConfigFault[];
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

/** Values that mean off to everyone. */
const OFF = ["false", "0", "no", "off"];

/** The longest value that is repeated. */
const MOST_CHARACTERS = 40;

/** A value other than `true`, and misspelt names of the variable that switches accounts on. */
function openModeFaults(unknown: ConfigFault[]): ConfigFault[] {
  if (accessEnabled()) return [];
  const value = authValue() ?? "";
  const misspelt = unknown.filter(({ message }) => message.includes(AUTH_VARIABLE));
  if (["", ...OFF].includes(value.trim().toLowerCase())) return misspelt;
  const got = value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value;
  return [
    { variable: AUTH_VARIABLE, message: `got ${JSON.stringify(got)}, want exactly "true" for accounts and tokens` },
    ...misspelt,
  ];
}

/** Reports every fault of the whole environment at once. */
export function configReport(): ConfigReport {
  const unknown = unknownVariables();
  const open = openModeFaults(unknown);
  return {
    fatal: [...[SERVER, BODIES, LOG, INDEXING, METRICS, LINKS].flatMap(faultsOf), ...storeFaults()],
    render: [...renderFaults(), ...faultsOf(TEMPLATES)],
    access: accessEnabled()
      ? [...[DATABASE, ACCESS, AUDIT].flatMap(faultsOf), ...adminConfig().faults]
      : faultsOf(ACCESS),
    open,
    unknown: unknown.filter((fault) => !open.includes(fault)),
  };
}
