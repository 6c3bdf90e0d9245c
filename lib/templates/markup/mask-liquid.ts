/** Stands for a character of an output. Nobody writes it in a template. */
export const MASK = "\ue000";

/** Replaces Liquid by characters that mean nothing in HTML, so that its quotes and brackets count as none of HTML. */
export function maskLiquid(source: string): string {
  const masked = source.replaceAll(/\{\{[\s\S]*?\}\}/g, (output) => output.replaceAll(/[^\n]/g, MASK));
  return masked.replaceAll(/\{%[\s\S]*?%\}/g, blank);
}

/** Replaces everything but the ends of lines, so that what follows keeps its place. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}
