import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import "./style.css";
import { accessEnabled, VERSION } from "#lib/config.ts";
import { ToastRegion } from "./ui/feedback/toasts.tsx";
import { viewerOrNull } from "./ui/page/guards.ts";
import { HIDDEN } from "./ui/page/indexing.ts";
import { serviceOrigin } from "./ui/page/service-origin.ts";
import { recordEarlyEvents } from "./ui/shell/early-events.ts";
import { EventReplay } from "./ui/shell/event-replay.tsx";
import { FONT_VARIABLES } from "./ui/shell/fonts.ts";
import { Header } from "./ui/shell/header.tsx";
import { reloadUnhydrated, retryMissingFiles } from "./ui/shell/missing-files.ts";
import { THEME_COOKIE, type Theme, toTheme } from "./ui/shell/theme.ts";

const DESCRIPTION = "A template and a few edits in, a PNG out.";

/**
 * The address of the link preview is absolute, as crawlers require. It is built from SERVICE_PUBLIC_ORIGIN and never from the
 * Host header, which any client may set.
 */
export function generateMetadata(): Metadata {
  const { configured, fallback } = serviceOrigin();
  return {
    title: { default: "Platen", template: "%s · Platen" },
    description: DESCRIPTION,
    metadataBase: new URL(configured ?? fallback),
    robots: HIDDEN,
    manifest: "/manifest.webmanifest",
    icons: {
      icon: [
        { url: "/favicon.ico", sizes: "48x48" },
        { url: "/icon.svg", type: "image/svg+xml" },
      ],
      apple: "/apple-touch-icon.png",
    },
    openGraph: {
      title: "Platen",
      description: DESCRIPTION,
      images: [
        { url: "/front-page.png", width: 1200, height: 630, alt: "Three pictures come out from under a roller." },
      ],
    },
  };
}

/** The theme that the reader chose, or `system`. */
async function chosenTheme(): Promise<Theme> {
  return toTheme((await cookies()).get(THEME_COOKIE)?.value);
}

/** The browser paints scroll bars and form controls before any style arrives. */
export async function generateViewport(): Promise<Viewport> {
  const theme = await chosenTheme();
  return { colorScheme: theme === "system" ? "light dark" : theme };
}

/** Comes before every control of the page, and runs before any script that is loaded. */
async function EarlyScript() {
  const policy = (await headers()).get("content-security-policy");
  return (
    // Browsers hide the nonce from scripts, so React would see a mismatch.
    <script nonce={policy?.match(/'nonce-([^']+)'/)?.[1]} suppressHydrationWarning>
      {`(${recordEarlyEvents})();(${retryMissingFiles})(${reloadUnhydrated})`}
    </script>
  );
}

/** The links need credentials with the access layer on. */
async function Footer() {
  const hasLinks = !accessEnabled() || (await viewerOrNull()) !== null;
  return (
    <footer className="mt-auto border-line border-t">
      <div className="mx-auto flex w-full max-w-page flex-wrap items-center gap-x-6 gap-y-2 px-4 py-5 text-soft text-sm sm:px-6">
        <span className="mr-auto max-sm:basis-full">Platen {VERSION}</span>
        {hasLinks && (
          <>
            <a className="link" href="/api/service/openapi.json">
              OpenAPI document
            </a>
            <a className="link" href="/api/service/templates">
              Templates as JSON
            </a>
          </>
        )}
      </div>
    </footer>
  );
}

export default async function Layout({ children }: { children: ReactNode }) {
  const theme = await chosenTheme();
  return (
    // The theme switch changes `data-theme` in the browser: React must not restore what the server sent.
    <html
      lang="en"
      className={FONT_VARIABLES}
      data-theme={theme === "system" ? undefined : theme}
      suppressHydrationWarning
    >
      <body>
        <EarlyScript />
        <a
          href="#content"
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-paper focus:translate-y-0"
        >
          Skip to the content
        </a>
        <Header theme={theme} />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-page flex-1 px-4 py-8 outline-none sm:px-6 sm:py-12"
        >
          {children}
        </main>
        <Footer />
        <ToastRegion />
        <EventReplay />
      </body>
    </html>
  );
}
