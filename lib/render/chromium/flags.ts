/** Frames come only when asked for, complete and in order: the same input gives the same pixels, as fast as it can. */
const FRAMES = [
  "--enable-begin-frame-control",
  "--run-all-compositor-stages-before-draw",
  "--disable-new-content-rendering-timeout",
  "--disable-threaded-animation",
  "--disable-threaded-scrolling",
  // Without it, a large image would be missing from the first frame.
  "--disable-checker-imaging",
  // The CPU draws. A GPU process of its own, and many small tiles, only cost time (15 to 20 % measured).
  "--disable-gpu",
  // SwiftShader is not shipped, and without this flag the in-process GPU looks for it and dies with SIGTRAP.
  "--disable-software-rasterizer",
  "--in-process-gpu",
  "--num-raster-threads=1",
  "--default-tile-width=2048",
  "--default-tile-height=2048",
];

/** The machine must not show in the picture. */
const PIXELS = [
  "--force-color-profile=srgb",
  "--force-device-scale-factor=1",
  "--font-render-hinting=none",
  "--disable-lcd-text",
  "--hide-scrollbars",
  "--lang=en-US",
];

/** Whatever connects goes to a proxy that does not exist; loopback would be exempt from proxies unless this says otherwise. */
export const PROXY_TO_NOWHERE = { proxyServer: "http://proxy.invalid:9", proxyBypassList: "<-loopback>" };

/** Interception alone is no boundary: with these nothing can be looked up or connected to. */
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

/** A page renders and nothing else: no windows, no plug-ins, no first-run work, no reports. */
const SURFACE = [
  "--headless",
  "--remote-debugging-pipe=cbor", // A picture as bytes takes a third less time than as base64 in JSON.
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
  // Both make a new page borrow the last one's frame, and a screenshot come out empty or white (seen in one of four).
  "PaintHolding",
  "RenderDocument",
  // Frames in processes of their own, which get neither our interception nor a frame.
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
  /** Whether its processes share memory through files in its folder rather than in RAM: no pixel hangs on it. */
  sharesOnDisk: boolean;
};

/**
 * Every flag a browser is started with, and the only place for them. What is left out matters as much:
 * never `--single-process`, `--disable-web-security` or `--allow-running-insecure-content`.
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
