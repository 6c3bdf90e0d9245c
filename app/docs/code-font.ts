import localFont from "next/font/local";

/** Code stands within the sentences here, where a font that comes late would break their lines anew. */
export const CODE_FONT = localFont({
  src: "../../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  weight: "100 800",
  variable: "--font-mono",
  fallback: ["ui-monospace", "Menlo", "Consolas", "monospace"],
  adjustFontFallback: false,
  display: "optional",
  preload: true,
});
