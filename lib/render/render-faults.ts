import { AppError } from "#lib/errors.ts";

/** The browser ended, or its page crashed, while it was needed. The render may be tried again. */
export class BrowserLost extends Error {
  override name = "BrowserLost";
}

/** The browser does nothing any more, for example because its processes were stopped. */
export class BrowserHung extends BrowserLost {}

/** The browser keeps so much memory of its earlier pictures that there is no room for this one. `cause` is the error for clients. */
export class BrowserSpent extends BrowserLost {
  declare readonly cause: AppError;
}

/** A browser did not start. `output` is the end of its standard error, and `endedBy` the signal that ended it. */
export class LaunchFailed extends Error {
  override name = "LaunchFailed";
  readonly output: string;
  readonly endedBy: NodeJS.Signals | null;

  constructor(cause: unknown, { output, endedBy }: { output: string; endedBy: NodeJS.Signals | null }) {
    super("The browser did not start.", { cause });
    this.output = output;
    this.endedBy = endedBy;
  }
}

/** Error for renders that arrive or still wait when the service ends. Another instance may be up a second later. */
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

function unavailable(message: string, cause: unknown): AppError {
  return new AppError("unavailable", message, { headers: { "Retry-After": "1" }, cause });
}

function adviceFor(fault: unknown): string {
  if (!(fault instanceof Error)) return "see the server's log";
  const code = "code" in fault ? String(fault.code) : "";
  return ADVICE_OF_CODE[code] ?? adviceFor(fault.cause);
}

/** Error for clients when no browser can be started. The cause, with its paths, is for the log. */
export function browserUnavailable(cause: unknown): AppError {
  return cause instanceof AppError ? cause : unavailable(`The browser cannot be started: ${adviceFor(cause)}.`, cause);
}

/** Error for clients when the machine has no room for a picture. */
export function drawingUnavailable(cause: unknown): AppError {
  return unavailable(`The picture cannot be rendered: ${adviceFor(cause)}.`, cause);
}

/** Error for clients when the remote browser cannot be used. The cause is for the log. */
export function remoteUnavailable(cause: unknown): AppError {
  const message = "The remote browser cannot be reached or does not render: see the server's log.";
  return cause instanceof AppError ? cause : unavailable(message, cause);
}
