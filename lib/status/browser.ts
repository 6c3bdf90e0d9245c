import type { RenderConfig } from "#lib/config.ts";
import { describedBrowser, lastProof } from "#lib/render/chromium/browser-description.ts";
import { isSandboxRefused } from "#lib/render/chromium/sandbox.ts";
import { bundledVersion } from "#lib/render/chromium/unpack.ts";
import { checkRendering, requireRenderConfig } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";
import { detail, type Finding } from "./finding.ts";

const FRAMES = {
  "begin-frame": "frames on demand: fast, and the same pixels every time",
  screenshot: "screenshots, because this browser makes no frames on demand: slower",
};

async function kindOf({ browserWs, chromiumPath }: RenderConfig): Promise<string> {
  if (browserWs) return "a browser elsewhere (SERVICE_BROWSER_WS)";
  if (chromiumPath) return "an executable of the operator's (SERVICE_CHROMIUM_PATH)";
  return `bundled, package ${await bundledVersion()}`;
}

/** Which browser draws, and how its pictures are taken. */
export async function lookAtBrowser(): Promise<Finding> {
  const config = requireRenderConfig();
  const known = describedBrowser();
  const details = [detail("Kind", await kindOf(config)), detail("Version", known?.product ?? null)];
  if (!known || shared.get().pool?.state.workers.length === 0) {
    return {
      state: "error",
      summary: "No browser runs.",
      remedy:
        "The server's log says why. SERVICE_CHROMIUM_PATH names another browser, SERVICE_DATA_DIR another folder to unpack the bundled one in.",
      details,
    };
  }
  details.push(detail("Pictures by", FRAMES[known.frames]));
  const name = known.product?.replace("/", " ") ?? "A browser";
  if (known.frames === "screenshot" && !config.browserWs) {
    const remedy = "Let SERVICE_CHROMIUM_PATH name a chrome-headless-shell.";
    return { state: "warning", summary: `${name} draws, more slowly than it could.`, remedy, details };
  }
  return { state: "ok", summary: `${name} draws.`, details };
}

const WHERE_ALLOWED =
  "Run Platen as an ordinary user where unprivileged user namespaces are allowed; SERVICE_CHROMIUM_SANDBOX=on then makes sure of it.";

/** Whether Chromium's own sandbox is around the pages. */
export function lookAtSandbox(): Finding {
  const { browserWs, sandbox } = requireRenderConfig();
  const details = [detail("SERVICE_CHROMIUM_SANDBOX", sandbox)];
  if (browserWs) {
    return { state: "ok", summary: "The browser runs elsewhere, and its sandbox is in the hands of who runs it." };
  }
  const without =
    "Chromium runs without its sandbox: pages have neither scripts nor a network, but one layer is missing.";
  if (sandbox === "off") {
    const remedy = "Set SERVICE_CHROMIUM_SANDBOX to auto, which uses the sandbox wherever it works.";
    return { state: "warning", summary: without, remedy, details };
  }
  if (isSandboxRefused()) return { state: "warning", summary: without, remedy: WHERE_ALLOWED, details };
  return { state: "ok", summary: "Chromium's sandbox is on.", details };
}

/** Whether a picture can be drawn now, by drawing one where none was drawn in the last seconds. Takes up to 5 s where none can. */
export async function lookAtCanary(): Promise<Finding> {
  const state = await checkRendering();
  const proof = lastProof();
  const details = proof
    ? [
        detail("Last test picture", proof.at, "moment"),
        detail("It took", proof.ms, "milliseconds"),
        detail("Result", proof.fault ?? "drawn, with the right pixels"),
      ]
    : [];
  if (state.ok) return { state: "ok", summary: "A picture was drawn within the last seconds.", details };
  const remedy =
    "The server's log says more. SERVICE_RENDER_TIMEOUT_MS, SERVICE_RENDER_WORKER_MB and SERVICE_DATA_DIR are what a browser depends on.";
  return { state: "error", summary: `No picture can be drawn. ${state.message}`, remedy, details };
}
