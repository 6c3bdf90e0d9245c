import { curlSnippet } from "./curl.ts";
import { goLink, goSnippet } from "./go.ts";
import { phpLink, phpSnippet } from "./php.ts";
import { pythonLink, pythonSnippet } from "./python.ts";
import { rubyLink, rubySnippet } from "./ruby.ts";
import type { SnippetRequest } from "./snippet.ts";
import { typescriptLink, typescriptSnippet } from "./typescript.ts";

export type LanguageName = "curl" | "typescript" | "python" | "go" | "php" | "ruby";

type Language = {
  label: string;
  write: (request: SnippetRequest) => string;
  /** The file to save the code as, and the command that runs it. Absent for shell commands. */
  run?: { file: string; command: string };
};

/** The languages, in the order of their tabs. */
export const LANGUAGES: Record<LanguageName, Language> = {
  curl: { label: "curl", write: curlSnippet },
  typescript: {
    label: "TypeScript",
    write: typescriptSnippet,
    run: { file: "render.mts", command: "node render.mts" },
  },
  python: { label: "Python", write: pythonSnippet, run: { file: "render.py", command: "python3 render.py" } },
  go: { label: "Go", write: goSnippet, run: { file: "render.go", command: "go run render.go" } },
  php: { label: "PHP", write: phpSnippet, run: { file: "render.php", command: "php render.php" } },
  ruby: { label: "Ruby", write: rubySnippet, run: { file: "render.rb", command: "ruby render.rb" } },
};

export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as LanguageName[];

/** The languages of code that signs a link, in the order of their tabs. */
export const LINK_LANGUAGES: Record<Exclude<LanguageName, "curl">, Language> = {
  typescript: { label: "TypeScript", write: typescriptLink, run: { file: "link.mts", command: "node link.mts" } },
  python: { label: "Python", write: pythonLink, run: { file: "link.py", command: "python3 link.py" } },
  go: { label: "Go", write: goLink, run: { file: "link.go", command: "go run link.go" } },
  php: { label: "PHP", write: phpLink, run: { file: "link.php", command: "php link.php" } },
  ruby: { label: "Ruby", write: rubyLink, run: { file: "link.rb", command: "ruby link.rb" } },
};
