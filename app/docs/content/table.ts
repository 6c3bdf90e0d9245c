/** Text as Markdown that shows exactly it. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]/g, "\\$&").replace(/\s+/g, " ");
}

/** A name or a value as code. Backticks, which no name of ours has, would end it. */
export function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** A Markdown table. Cells are Markdown; an escaped bar in one is left as it is. */
export function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A block of code. The words after the language name it, to screen readers. */
export function block(language: string, name: string, text: string): string {
  return `\`\`\`${language} ${name}\n${text}\n\`\`\``;
}

/** How the name of what is only there to be looked at begins. */
export const EXAMPLE = "Example: ";

/** A value as JSON that nobody has a use for elsewhere. */
export function example(name: string, value: unknown): string {
  return block("json", `${EXAMPLE}${name}`, JSON.stringify(value, null, 2));
}

/** Parts with an empty line between them; those that are not there are left out. */
export function parts(...given: (string | undefined | false)[]): string {
  return given.filter((part) => part !== undefined && part !== false && part !== "").join("\n\n");
}
