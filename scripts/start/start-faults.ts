import type { ServerConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { explainFileFault } from "#lib/file-faults.ts";

const LISTEN_FAULTS: Record<string, string> = {
  EADDRINUSE: "the port is in use. Set PORT to another one.",
  EACCES: "this user may not listen on that port. Set PORT to one above 1023.",
  EADDRNOTAVAIL: "this machine does not have that address. Set HOST to one that it has, or leave it out.",
  ENOTFOUND: "this machine does not know that name. Set HOST to an address, or leave it out.",
};

/** V8 throws it where it cannot reserve the memory of the embedded database. */
const isWithoutMemory = (error: unknown) => error instanceof RangeError && error.message.startsWith("WebAssembly");

/** Why the service cannot start, in one line. Undefined for an error that needs its stack. */
export function explainStartFault(error: unknown, { port, host }: ServerConfig): string | undefined {
  if (error instanceof ConfigError)
    return `Cannot start: ${error.faults.map(({ variable, message }) => `${variable}: ${message}`).join("; ")}.`;
  if (isWithoutMemory(error))
    return "Cannot start: too little memory or address space is left for the embedded database. Give the machine or the container more memory, and remove a limit of address space (ulimit -v unlimited, LimitAS of systemd).";
  const { code = "", syscall = "" } = error as NodeJS.ErrnoException;
  const reason = ["listen", "getaddrinfo"].includes(syscall) ? LISTEN_FAULTS[code] : undefined;
  if (reason) return `Cannot listen on ${host ?? "*"}:${port}: ${reason}`;
  const fault = explainFileFault(error);
  return fault && `Cannot start: ${fault}`;
}
