import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { LaunchFailed } from "#lib/render/render-faults.ts";
import { shared } from "#lib/render/shared.ts";
import type { Browser } from "./launch.ts";

/** What Chromium says where the kernel, a container or a chroot denies it namespaces. */
const REFUSAL =
  /no usable sandbox|sandbox host|setuid sandbox|move to new namespace|credentials\.cc|zygote_host_impl_linux/i;

const REMEDY = "Run Platen as an ordinary user where unprivileged user namespaces are allowed";

function refuse(reason: string, cause?: unknown): AppError {
  return new AppError(
    "unavailable",
    `SERVICE_CHROMIUM_SANDBOX is "on", but ${reason}. ${REMEDY}, or set it to "auto".`,
    { cause },
  );
}

function giveUpSandbox(reason: string): void {
  const state = shared.get();
  if (!state.sandboxRefused) {
    log().warn(
      { reason, remedy: `${REMEDY}.` },
      "CHROMIUM RUNS WITHOUT ITS SANDBOX. Pages have neither scripts nor a network, but one layer of defence is missing.",
    );
  }
  state.sandboxRefused = true;
}

/**
 * Launches with the sandbox wherever the machine allows one, and without where the setting permits that.
 * @throws AppError `unavailable` when the setting is "on" and there is no sandbox; whatever `launch` throws
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
  if (setting === "auto" && shared.get().sandboxRefused) return await launch(false);
  try {
    return await launch(true);
  } catch (error) {
    if (!(error instanceof LaunchFailed) || !REFUSAL.test(error.output)) throw error;
    if (setting === "on") throw refuse("this machine refuses Chromium's sandbox", error);
    giveUpSandbox("this machine refuses Chromium's sandbox");
    return await launch(false);
  }
}
