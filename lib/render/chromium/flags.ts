/** A frame is drawn only on command, complete and in order: the same input gives the same pixels, as fast as possible. */
const FRAMES = [
  "--enable-begin-frame-control",
  "--run-all-compositor-stages-before-draw",
  "--disable-new-content-rendering-timeout",
  "--disable-threaded-animation",
  "--disable-threaded-scrolling",
  // Without it, a large image would be missing from the first frame.
  "--disable-checker-imaging",
  // The CPU draws. A separate GPU process and many small tiles would cost 15 to 20 % more time.
  "--disable-gpu",
  // SwiftShader is not shipped, and without this flag the in-process GPU looks for it and dies with SIGTRAP.
  "--disable-software-rasterizer",
  "--in-process-gpu",
  "--num-raster-threads=1",
  "--default-tile-width=2048",
  "--default-tile-height=2048",
];

/** The picture must not depend on the machine. */
const PIXELS = [
  "--force-color-profile=srgb",
  "--force-device-scale-factor=1",
  "--font-render-hinting=none",
  "--disable-lcd-text",
  "--hide-scrollbars",
  // Animated images stand still (kImageAnimationPolicyNoAnimation). Backgrounds would go on from one document of a page to the next.
  "--blink-settings=imageAnimationPolicy=2",
  "--lang=en-US",
];

/** Every connection goes to a proxy that does not exist. This includes loopback, which Chromium exempts by default. */
export const PROXY_TO_NOWHERE = { proxyServer: "http://proxy.invalid:9", proxyBypassList: "<-loopback>" };

/** A second boundary beside interception: no name can be resolved and no connection opened. */
const NETWORK = [
  `--proxy-server=${PROXY_TO_NOWHERE.proxyServer}`,
  `--proxy-bypass-list=${PROXY_TO_NOWHERE.proxyBypassList}`,
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-client-side-phishing-detection",
  "--disable-quic",
  "--dns-prefetch-disable",
  "--no-pings",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/** A page can only render: no windows, no plug-ins, no first-run work, no reports. */
const SURFACE = [
  "--headless",
  "--remote-debugging-pipe=cbor", // Pictures as bytes. Base64 in JSON costs 10 % of the time of a gradient card.
  "--block-new-web-contents",
  "--disable-3d-apis",
  "--disable-webgpu",
  "--disable-breakpad",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-notifications",
  "--disable-speech-api",
  "--disable-back-forward-cache", // It would keep the last render's page in memory.
  "--disable-hang-monitor",
  "--disable-gpu-shader-disk-cache",
  "--deny-permission-prompts",
  "--mute-audio",
  "--no-default-browser-check",
  "--no-first-run",
  "--noerrdialogs",
  "--password-store=basic",
  "--use-mock-keychain",
];

const DISABLED_FEATURES = [
  // Each of these lets a new page show the frame of the last one: one screenshot in four was empty or white.
  "PaintHolding",
  "RenderDocument",
  // Each of these puts HTML frames into separate processes, which are not intercepted and do not draw.
  "FencedFrames",
  "IsolateSandboxedIframes",
  "BackForwardCache",
  "DialMediaRouteProvider",
  "MediaRouter",
  "OptimizationHints",
  "Prerender2",
  "Translate",
];

export type FlagOptions = {
  profileDir: string;
  sandboxed: boolean;
  /** Whether its processes share memory through files in its folder instead of RAM. The pixels are the same. */
  sharesOnDisk: boolean;
};

/**
 * Every flag that a browser is started with. No other file names one.
 * Never add `--single-process`, `--disable-web-security` or `--allow-running-insecure-content`.
 */
export function chromiumFlags({ profileDir, sandboxed, sharesOnDisk }: FlagOptions): string[] {
  return [
    ...SURFACE,
    ...FRAMES,
    ...PIXELS,
    ...NETWORK,
    `--disable-features=${DISABLED_FEATURES.join(",")}`,
    `--user-data-dir=${profileDir}`,
    ...(sharesOnDisk ? ["--disable-dev-shm-usage"] : []),
    ...(sandboxed ? [] : ["--no-sandbox"]),
  ];
}
