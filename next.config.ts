import { readdirSync } from "node:fs";
import { relative, sep } from "node:path";
import type { NextConfig } from "next";
import { isDevelopment, PROJECT_DIR, templateFolders } from "./lib/config.ts";
import { POLICY_HEADER, pagePolicy } from "./lib/http/server/content-security-policy.ts";
import { CARD_THUMBNAIL_WIDTHS, SMALL_THUMBNAIL_WIDTH } from "./lib/schemas/thumbnail.ts";
import { highlightFiles } from "./lib/templates/drawings/grammar-files.ts";
import { PATTERN_FILES } from "./lib/type/text/hyphenate.ts";

/** A day: the names of the files in `public/` stay the same when their content changes. */
const PUBLIC_FILE_SECONDS = 86_400;

/** How the paths of routes begin that render, or report on the browsers that do. `vercel.json` gives them a function of their own, the only one with Chromium. */
const RENDERING_ROUTES = [
  "/api/service/images",
  "/api/service/links",
  "/api/service/proofs",
  "/api/service/status",
  "/api/service/thumbnails",
  "/metrics",
  "/readyz",
];

/** What only they need: Chromium, the fonts as one compressed file, because Vercel limits a function to 250 MB, and the process that decodes images. */
const RENDERING_FILES = [
  "node_modules/@sparticuz/chromium/{package.json,bin/{chromium,al2023.tar}.br}",
  ".platen/fonts/*.zst",
  "package.json",
  "lib/sharp.ts",
  "lib/images/*.ts",
  "lib/images/{avif,decoder,prepare}/*.ts",
];

/** Folders of templates inside the project, which a deployment takes along. Others have to be there when it starts. */
function ownTemplates(): string[] {
  const folders = templateFolders().filter((folder) => folder.startsWith(PROJECT_DIR + sep));
  return folders.map((folder) => `${relative(PROJECT_DIR, folder)}/**`);
}

const config: NextConfig = {
  // Pages and routes for authors of templates, which write files, end in `.dev.tsx`: to a production build they are no routes.
  pageExtensions: isDevelopment() ? ["dev.tsx", "dev.ts", "tsx", "ts"] : ["tsx", "ts"],
  // Authors of templates have no use for Next's menu, which covers the editor of the workshop in a narrow window. Errors are shown without it.
  devIndicators: false,
  poweredByHeader: false,
  // Next would compress every response, those with a secret too. lib/http/server/compression.ts decides which ones.
  compress: false,
  // The service makes thumbnails itself. A custom loader removes `/_next/image`, which would need no credentials.
  images: {
    loader: "custom",
    loaderFile: "./app/ui/content/thumbnail-address.ts",
    deviceSizes: [...CARD_THUMBNAIL_WIDTHS],
    imageSizes: [SMALL_THUMBNAIL_WIDTH],
  },
  // Sends the title with the page to every client. Otherwise Next streams it later, and it vanishes for a moment at each refresh.
  htmlLimitedBots: /.*/,
  // Next would redirect, where the API has to answer with an error.
  skipTrailingSlashRedirect: true,
  // `npm run check` checks types. It would make a start slower.
  typescript: { ignoreBuildErrors: true },
  // Nothing reads them: Node does not look for source maps. They take a fifth of the time of a build, and 150 MB.
  experimental: { turbopackSourceMaps: false },
  serverExternalPackages: [
    "pino",
    "prom-client",
    "puppeteer-core",
    "sharp",
    "ws",
    "@sparticuz/chromium",
    "@node-rs/argon2",
  ],
  // Files that no import leads to, for Vercel and for a standalone folder.
  outputFileTracingIncludes: {
    ...Object.fromEntries(RENDERING_ROUTES.map((route) => [route, RENDERING_FILES])),
    "/**": [
      ".platen/*.json",
      ".platen/fonts/*.json",
      "drizzle/**",
      ...ownTemplates(),
      // Pages of the documentation.
      "README.md",
      "docs/*.md",
      // The words and the patterns of languages are loaded when a text needs them.
      "node_modules/eld/{package.json,src/*.js,src/entries/static.extrasmall.js,src/ngrams/extrasmall.js}",
      "node_modules/hyphen/{package.json,index.js,hyphen.js}",
      `node_modules/hyphen/patterns/{${PATTERN_FILES.join(",")}}.js`,
      ...highlightFiles(),
    ],
  },
  rewrites: async () => ({
    // By path only. Next would match headers with a pattern that takes quadratic time, before any authentication.
    beforeFiles: [
      { source: "/docs.md", destination: "/api/docs" },
      { source: "/docs/:page(.+)\\.md", destination: "/api/docs/:page" },
    ],
  }),
  headers: async () => [
    ...readdirSync("public").map((name) => ({
      source: `/${name}`,
      headers: [{ key: "Cache-Control", value: `public, max-age=${PUBLIC_FILE_SECONDS}` }],
    })),
    {
      // Routes set their own headers, which these would override.
      source: "/((?!api/|api$|healthz$|readyz$|metrics$|(?:llms|robots)\\.txt$|docs\\.md$|docs/.+\\.md$).*)",
      headers: [
        // lib/http/server adds a nonce.
        { key: POLICY_HEADER, value: pagePolicy() },
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "no-referrer" },
        { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
      ],
    },
  ],
};

export default config;
