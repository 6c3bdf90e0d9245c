import { AppError } from "#lib/errors.ts";

/** The browser ended, or its page crashed, while it was needed. The render may be tried again. */
export class BrowserLost extends Error {
  override name = "BrowserLost";
}

/** A browser did not start. `output` is the end of what it wrote to its standard error. */
export class LaunchFailed extends Error {
  override name = "LaunchFailed";
  readonly output: string;

  constructor(cause: unknown, output: string) {
    super("The browser did not start.", { cause });
    this.output = output;
  }
}

/** What is told to whoever comes, or still waits, when the service ends. Another instance may be up a second later. */
export function stopping(): AppError {
  return new AppError("unavailable", "The service is stopping.", { headers: { "Retry-After": "1" } });
}

const ADVICE_OF_CODE: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the data folder is read-only",
  EACCES: "the data folder may not be written or executed by this process",
  EPERM: "the data folder may not be written or executed by this process",
  ENOTDIR: "a file stands where the data folder belongs",
  EEXIST: "a file stands where the data folder belongs",
  EMFILE: "this process has too many open files",
  ENFILE: "the machine has too many open files",
  ENOMEM: "the machine has no memory left",
  EAGAIN: "the machine allows no more processes",
};

function unavailable(what: string, cause: unknown): AppError {
  return new AppError("unavailable", what, { headers: { "Retry-After": "1" }, cause });
}

function adviceFor(fault: unknown): string {
  if (!(fault instanceof Error)) return "see the server's log";
  const code = "code" in fault ? String(fault.code) : "";
  return ADVICE_OF_CODE[code] ?? adviceFor(fault.cause);
}

/** What a client is told when no browser can be had. The cause, with its paths, is for the log. */
export function browserUnavailable(cause: unknown): AppError {
  return cause instanceof AppError ? cause : unavailable(`The browser cannot be started: ${adviceFor(cause)}.`, cause);
}

/** What a client is told when the machine lets no browser draw. */
export function drawingUnavailable(cause: unknown): AppError {
  return unavailable(`The picture cannot be drawn: ${adviceFor(cause)}.`, cause);
}

/** What a client is told when the remote browser cannot be used. What is wrong with it is for the log. */
export function remoteUnavailable(cause: unknown): AppError {
  const message = "The remote browser cannot be reached, or refuses to draw: see the server's log.";
  return cause instanceof AppError ? cause : unavailable(message, cause);
}
