import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./style.css";
import { FONT_VARIABLES } from "./ui/fonts.ts";
import { Footer } from "./ui/footer.tsx";
import { Header } from "./ui/header.tsx";
import { knownOrigin } from "./ui/known-origin.ts";
import { chosenTheme } from "./ui/theme.ts";
import { ToastRegion } from "./ui/toast-region.tsx";

const DESCRIPTION = "A template and a few edits in, a PNG out.";

/**
 * The address of the link preview is absolute, as crawlers require. It is built from SERVICE_PUBLIC_ORIGIN and never from the
 * Host header, which any client may set.
 */
export function generateMetadata(): Metadata {
  const { configured, fallback } = knownOrigin();
  return {
    title: { default: "Platen", template: "%s · Platen" },
    description: DESCRIPTION,
    metadataBase: new URL(configured ?? fallback),
    robots: { index: false, follow: false },
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

/** The browser paints its own parts before any style arrives. */
export async function generateViewport(): Promise<Viewport> {
  const theme = await chosenTheme();
  return { colorScheme: theme === "system" ? "light dark" : theme };
}

export default async function Layout({ children }: { children: ReactNode }) {
  const theme = await chosenTheme();
  return (
    // The switch changes the attribute, and what the server says of it later is not to be restored.
    <html
      lang="en"
      className={FONT_VARIABLES}
      data-theme={theme === "system" ? undefined : theme}
      suppressHydrationWarning
    >
      <body>
        <a
          href="#content"
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-paper focus:translate-y-0"
        >
          Skip to the content
        </a>
        <Header />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-page flex-1 px-4 py-8 outline-none sm:px-6 sm:py-12"
        >
          {children}
        </main>
        <Footer />
        <ToastRegion />
      </body>
    </html>
  );
}
