/** Languages whose code is coloured, by the names of their grammars. The values are their names for people. */
export const CODE_LANGUAGES = {
  bash: "Bash",
  c: "C",
  cpp: "C++",
  csharp: "C#",
  css: "CSS",
  dart: "Dart",
  diff: "Diff",
  docker: "Dockerfile",
  elixir: "Elixir",
  go: "Go",
  graphql: "GraphQL",
  haskell: "Haskell",
  hcl: "HCL",
  html: "HTML",
  java: "Java",
  javascript: "JavaScript",
  json: "JSON",
  kotlin: "Kotlin",
  lua: "Lua",
  markdown: "Markdown",
  php: "PHP",
  python: "Python",
  r: "R",
  ruby: "Ruby",
  rust: "Rust",
  scala: "Scala",
  scss: "SCSS",
  sql: "SQL",
  swift: "Swift",
  toml: "TOML",
  tsx: "TSX",
  typescript: "TypeScript",
  yaml: "YAML",
  zig: "Zig",
} as const;

/** Code without colours. */
export const PLAIN_CODE = "text";

/** What a piece of code is. Templates colour pieces by it. */
export const TOKEN_KINDS = [
  "plain",
  "comment",
  "string",
  "constant",
  "keyword",
  "function",
  "type",
  "tag",
  "attribute",
  "property",
  "operator",
  "inserted",
  "deleted",
] as const;

export type TokenKind = (typeof TOKEN_KINDS)[number];

export type CodeToken = { text: string; kind: TokenKind };

/** A line of code for Liquid. */
export type CodeLine = { number: number; marked: boolean; tokens: CodeToken[] };
