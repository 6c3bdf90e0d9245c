import type { NextConfig } from "next";
import { standaloneBuild } from "./lib/config.ts";
import { POLICY_HEADER, pagePolicy } from "./lib/http/server/content-security-policy.ts";
import { THUMBNAIL_WIDTHS } from "./lib/schemas/thumbnail.ts";

const config: NextConfig = {
  poweredByHeader: false,
  // It takes the Content-Length away, and a PNG gains nothing; compressing pages is a proxy's work.
  compress: false,
  // The service makes small pictures itself. With a loader of ours there is no `/_next/image`, which would make them for anybody.
  images: {
    loader: "custom",
    loaderFile: "./app/ui/thumbnail-address.ts",
    deviceSizes: [...THUMBNAIL_WIDTHS],
    imageSizes: [],
  },
  // For Next, everyone is a reader that wants the title with the page: it would else come after it, and go for a moment with each refresh.
  htmlLimitedBots: /.*/,
  // A redirect would be an answer in a shape that is not ours.
  skipTrailingSlashRedirect: true,
  // `npm run check` does this, with the compiler of the lockfile; a start must not.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["fontkit", "pino", "prom-client", "sharp", "@sparticuz/chromium", "@node-rs/argon2"],
  outputFileTracingIncludes: {
    "/**": [
      ".platen/fonts/**",
      ".platen/*.json",
      "drizzle/**",
      "templates/**",
      // Shown as pages of the documentation.
      "README.md",
      "docs/*.md",
      "node_modules/@sparticuz/chromium/{package.json,bin/**}",
    ],
  },
  ...(standaloneBuild() && { output: "standalone" }),
  rewrites: async () => ({
    // By address alone: Next would match a header as a pattern that takes the square of its length, before anybody is known.
    beforeFiles: [
      { source: "/docs.md", destination: "/api/docs" },
      { source: "/docs/:page(.+)\\.md", destination: "/api/docs/:page" },
    ],
  }),
  headers: async () => [
    {
      // Routes bring their own, and a header that is set here would win.
      source: "/((?!api/|api$|healthz$|readyz$|metrics$|llms\\.txt$|docs\\.md$|docs/.+\\.md$).*)",
      headers: [
        // Our own server puts a nonce in it.
        { key: POLICY_HEADER, value: pagePolicy() },
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "no-referrer" },
        { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
      ],
    },
  ],
};

export default config;
