import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import { LaunchFailed } from "#lib/render/render-faults.ts";
import type { Browser } from "./launch.ts";

/** Set for good once the machine has refused the sandbox: it will refuse it again. */
const refusal = processState("sandbox-refusal", () => ({ isKnown: false }));

/** Chromium's messages where the kernel, a container or a chroot denies it namespaces. */
const REFUSAL_OUTPUT =
  /no usable sandbox|sandbox host|setuid sandbox|move to new namespace|credentials\.cc|zygote_host_impl_linux/i;

/**
 * One of these messages with the number of EAGAIN, ENOMEM, ENFILE or EMFILE: a shortage, which passes. Only these messages count, because
 * other parts of Chromium print such numbers where the machine refuses the sandbox, too.
 */
const SHORTAGE_OUTPUT = RegExp(`(?:${REFUSAL_OUTPUT.source}).*\\((?:11|12|23|24)\\)\\s*$`, "im");

const REMEDY = "Run Platen as an ordinary user where unprivileged user namespaces are allowed";

function refuse(reason: string, cause?: unknown): AppError {
  return new AppError(
    "unavailable",
    `SERVICE_CHROMIUM_SANDBOX is "on", but ${reason}. ${REMEDY}, or set it to "auto".`,
    { cause },
  );
}

/** True when browsers run without Chromium's sandbox because the machine refused it. */
export function isSandboxRefused(): boolean {
  return refusal.get().isKnown;
}

/** Whether a browser did not start because the machine refuses the sandbox, rather than for lack of processes, memory or files. */
function isRefusal(error: unknown): boolean {
  return error instanceof LaunchFailed && REFUSAL_OUTPUT.test(error.output) && !SHORTAGE_OUTPUT.test(error.output);
}

function giveUpSandbox(reason: string): void {
  if (!isSandboxRefused()) {
    log().warn(
      { reason, remedy: `${REMEDY}.` },
      "CHROMIUM RUNS WITHOUT ITS SANDBOX. Pages have neither scripts nor a network, but one layer of defence is missing.",
    );
  }
  refusal.get().isKnown = true;
}

/**
 * Launches with the sandbox where the machine allows it, and without it where it does not and the setting permits that.
 * @throws AppError `unavailable` when the setting is "on" and the machine refuses the sandbox; every error of `launch`
 */
export async function launchSandboxed(
  setting: RenderConfig["sandbox"],
  launch: (sandboxed: boolean) => Promise<Browser>,
): Promise<Browser> {
  if (setting === "off") return await launch(false);
  if (process.getuid?.() === 0) {
    const reason = "Chromium has no sandbox for root";
    if (setting === "on") throw refuse(reason);
    giveUpSandbox(reason);
  }
  if (setting === "auto" && isSandboxRefused()) return await launch(false);
  try {
    return await launch(true);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (setting === "on") throw refuse("this machine refuses Chromium's sandbox", error);
    giveUpSandbox("this machine refuses Chromium's sandbox");
    return await launch(false);
  }
}
