/** Markdown that shows exactly this text. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]/g, "\\$&").replace(/\s+/g, " ");
}

/** A name or a value as code. A backtick would end the code. */
export function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** A Markdown table. Cells are Markdown; a bar in a cell is escaped. */
export function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A block of code. Its name, which screen readers read, follows the language. */
export function block(language: string, name: string, text: string): string {
  return `\`\`\`${language} ${name}\n${text}\n\`\`\``;
}

/** Prefix of the name of a block that has no copy button. */
export const EXAMPLE = "Example: ";

/** An example value as JSON. */
export function example(name: string, value: unknown): string {
  return block("json", `${EXAMPLE}${name}`, JSON.stringify(value, null, 2));
}

/** Joins the parts that are not empty, with an empty line between them. */
export function parts(...given: (string | undefined | false)[]): string {
  return given.filter((part) => part !== undefined && part !== false && part !== "").join("\n\n");
}
