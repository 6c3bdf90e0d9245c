import type { Span } from "./marks.ts";

/** One output of a template: the text before and after HTML escaping, and the parts of it that are set off. */
export type Output = {
  text: string;
  escaped: string;
  spans?: Span[];
  /** The output is the whole value of a field, written in the language of the document, such as a sum of money. */
  isWhole?: boolean;
  /** Elements that show the value, such as a chart. Attributes have the text instead. */
  html?: string;
};

/** Tells a text apart from the same one with other parts set off. A text without any is its own key. */
export function shownKey({ text, spans = [] }: Pick<Output, "text" | "spans">): string {
  return spans.length === 0 ? text : `${text}\0${spans.map(({ kind, start, end }) => `${kind} ${start} ${end}`)}`;
}

/**
 * A template writes each output as a placeholder: its number between two noncharacters. Text fields refuse both
 * characters, so no value can contain a placeholder.
 */
export const PLACEHOLDER = /\ufffe(\d+)\uffff/g;

export function placeholder(index: number): string {
  return `\ufffe${index}\uffff`;
}

/** Replaces placeholders by their escaped outputs, without further treatment. */
export function fillPlain(html: string, outputs: Output[]): string {
  return html.replace(PLACEHOLDER, (_, index) => outputs[Number(index)]?.escaped ?? "");
}

/** Replaces placeholders by the texts of their outputs, unescaped. */
export function fillText(html: string, outputs: Output[]): string {
  return html.replace(PLACEHOLDER, (_, index) => outputs[Number(index)]?.text ?? "");
}
