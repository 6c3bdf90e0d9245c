import type { Explanation } from "#lib/schemas/explanation.ts";

type Text = Explanation["texts"][number];

function sizeOf({ fontSize, designedSize }: Text): string {
  const isFitted = designedSize !== undefined && designedSize !== fontSize;
  return isFitted ? `${fontSize} px instead of ${designedSize} px` : `${fontSize} px`;
}

function describeText(text: Text): string {
  const { field, lines, faces, contrast, direction, why } = text;
  const rows = [
    `  size      ${sizeOf(text)}${direction === "rtl" ? ", from right to left" : ""}`,
    ...lines.map((line, index) => `  ${index === 0 ? "lines   " : "        "}  ${line}`),
    `  faces     ${faces.map(({ face, glyphs }) => `${face} (${glyphs})`).join(", ") || "none"}`,
    ...(contrast ? [`  contrast  ${contrast.ratio}:1, want ${contrast.wanted}:1`] : []),
    ...why.map((reason, index) => `  ${index === 0 ? "why     " : "        "}  ${reason}`),
  ];
  return [field || `"${text.text.slice(0, 60)}"`, ...rows].join("\n");
}

/** An explanation for a terminal. */
export function describeExplanation({ texts, faults }: Explanation): string {
  const found = faults.map(({ kind, message }) => `Fault: ${kind}: ${message}`);
  return [...texts.map(describeText), ...(found.length > 0 ? [found.join("\n")] : [])].join("\n\n");
}
