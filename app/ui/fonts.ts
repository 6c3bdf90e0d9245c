import localFont from "next/font/local";

const display = localFont({
  src: [
    { path: "../../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2" },
    {
      path: "../../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-opsz-italic.woff2",
      style: "italic",
    },
  ],
  weight: "200 800",
  variable: "--font-newsreader",
  adjustFontFallback: "Times New Roman",
  preload: false,
});

const sans = localFont({
  src: "../../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
  weight: "400 700",
  variable: "--font-instrument-sans",
  adjustFontFallback: "Arial",
});

/** There at the first paint or not at all: code that wraps, and code within sentences, would break its lines anew. */
const mono = localFont({
  src: "../../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  weight: "100 800",
  variable: "--font-jetbrains-mono",
  adjustFontFallback: false,
  display: "optional",
});

/** The class names that define the fonts' custom properties. Other scripts than Latin come from the reader's system. */
export const FONT_VARIABLES = `${display.variable} ${sans.variable} ${mono.variable}`;
