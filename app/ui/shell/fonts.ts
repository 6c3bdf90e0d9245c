import localFont from "next/font/local";

// `optional`: a font that misses the first paint is not used, because swapping it in later would move every line.
// Newsreader and JetBrains Mono are used in one weight each: a file of one weight is half as large as one of all of them.

const display = localFont({
  src: "../../../node_modules/@fontsource/newsreader/files/newsreader-latin-600-normal.woff2",
  weight: "600",
  variable: "--font-newsreader",
  adjustFontFallback: "Times New Roman",
  display: "optional",
});

const sans = localFont({
  src: "../../../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
  weight: "400 700",
  variable: "--font-instrument-sans",
  adjustFontFallback: "Arial",
  display: "optional",
});

const mono = localFont({
  src: "../../../node_modules/@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2",
  weight: "400",
  variable: "--font-jetbrains-mono",
  adjustFontFallback: false,
  display: "optional",
  // Code is mostly below the first screen, whose picture would wait for these 21 kB. The next page has them.
  preload: false,
});

/**
 * The class names that define the custom properties of the fonts. Scripts other than Latin use the reader's system
 * fonts.
 */
export const FONT_VARIABLES = `${display.variable} ${sans.variable} ${mono.variable}`;
