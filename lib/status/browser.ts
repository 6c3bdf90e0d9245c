import { foundBrowser, type RenderConfig } from "#lib/config.ts";
import { describedBrowser } from "#lib/render/chromium/browser-description.ts";
import { isSandboxRefused } from "#lib/render/chromium/sandbox.ts";
import { bundledVersion } from "#lib/render/chromium/unpack.ts";
import { checkRendering, rendering } from "#lib/render/render.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import { detail, type Finding } from "./finding.ts";

const FRAMES = {
  "begin-frame": "frames on demand: fast, and the same pixels every time",
  screenshot: "screenshots, because this browser makes no frames on demand: slower",
};

async function kindOf({ browserWs, chromiumPath }: RenderConfig): Promise<string> {
  if (browserWs) return "a remote browser (SERVICE_BROWSER_WS)";
  if (foundBrowser()) return "found on this machine, for which none is bundled";
  if (chromiumPath) return "an executable of the operator (SERVICE_CHROMIUM_PATH)";
  return `bundled, package ${await bundledVersion()}`;
}

/** Which browser renders, and how its pictures are taken. */
export async function lookAtBrowser(): Promise<Finding> {
  const config = requireRenderConfig();
  const known = describedBrowser();
  const details = [detail("Kind", await kindOf(config)), detail("Version", known?.product || null)];
  if (!known || rendering.get().state.browsers.length === 0) {
    return {
      state: "error",
      summary: "No browser runs.",
      remedy:
        "The server's log says why. Name another browser with SERVICE_CHROMIUM_PATH, or another folder to unpack the bundled one in with SERVICE_DATA_DIR.",
      details,
    };
  }
  details.push(detail("Pictures by", FRAMES[known.frames]));
  const name = known.product?.replace("/", " ") || "A browser";
  const missing = known.missingFonts;
  if (missing.length > 0) {
    details.push(detail("Fonts that it lacks", missing.join(", ")));
    const summary = `${name} lacks ${missing.length} of Platen's families of fonts: pictures show other ones.`;
    const remedy =
      "Install Platen's fonts where the browser runs, or use the bundled browser. docs/fonts.md says where they are.";
    return { state: "warning", summary, remedy, details };
  }
  if (known.frames === "screenshot" && !config.browserWs) {
    const remedy = "Set SERVICE_CHROMIUM_PATH to a chrome-headless-shell.";
    return { state: "warning", summary: `${name} renders, more slowly than it could.`, remedy, details };
  }
  return { state: "ok", summary: `${name} renders.`, details };
}

const ALLOW_SANDBOX =
  "Run Platen as an ordinary user where unprivileged user namespaces are allowed. SERVICE_CHROMIUM_SANDBOX=on then insists on the sandbox.";

/** Whether Chromium's own sandbox is on. */
export function lookAtSandbox(): Finding {
  const { browserWs, sandbox } = requireRenderConfig();
  const details = [detail("SERVICE_CHROMIUM_SANDBOX", sandbox)];
  if (browserWs) {
    return { state: "ok", summary: "The browser is remote: its operator decides on its sandbox." };
  }
  const without =
    "Chromium runs without its sandbox: pages have neither scripts nor a network, but one layer of defence is missing.";
  if (sandbox === "off") {
    const remedy = "Set SERVICE_CHROMIUM_SANDBOX to auto, which uses the sandbox wherever the machine allows it.";
    return { state: "warning", summary: without, remedy, details };
  }
  if (isSandboxRefused()) return { state: "warning", summary: without, remedy: ALLOW_SANDBOX, details };
  return { state: "ok", summary: "Chromium's sandbox is on.", details };
}

/** Whether a picture can be rendered now. Renders a small one unless one was finished in the last seconds; takes 5 s at most. */
export async function lookAtProbe(): Promise<Finding> {
  const state = await checkRendering();
  const probe = rendering.get().readiness.lastProbe;
  const details = probe
    ? [
        detail("Last test picture", probe.at, "moment"),
        detail("It took", probe.ms, "milliseconds"),
        detail("Result", probe.fault ?? "rendered, with the right pixels"),
      ]
    : [];
  if (state.ok) return { state: "ok", summary: "A picture was rendered within the last seconds.", details };
  const remedy =
    "The server's log says more. Check SERVICE_RENDER_TIMEOUT_MS, SERVICE_RENDER_WORKER_MB and SERVICE_DATA_DIR.";
  return { state: "error", summary: `No picture can be rendered. ${state.message}`, remedy, details };
}
