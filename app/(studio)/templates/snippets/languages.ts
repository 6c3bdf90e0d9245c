import { curlSnippet } from "./curl.ts";
import { goSnippet } from "./go.ts";
import { phpSnippet } from "./php.ts";
import { pythonSnippet } from "./python.ts";
import { rubySnippet } from "./ruby.ts";
import type { SnippetRequest } from "./snippet.ts";
import { typescriptSnippet } from "./typescript.ts";

type Language = {
  label: string;
  write: (request: SnippetRequest) => string;
  /** How what was pasted into a file is run; `curl` is pasted into the shell itself. */
  run: string;
};

/** The languages that a request is written in, in the order of their tabs. */
export const LANGUAGES = {
  curl: { label: "curl", write: curlSnippet, run: "Paste it into a shell." },
  typescript: { label: "TypeScript", write: typescriptSnippet, run: "Save it as render.mts, then: node render.mts" },
  python: { label: "Python", write: pythonSnippet, run: "Save it as render.py, then: python3 render.py" },
  go: { label: "Go", write: goSnippet, run: "Save it as render.go, then: go run render.go" },
  php: { label: "PHP", write: phpSnippet, run: "Save it as render.php, then: php render.php" },
  ruby: { label: "Ruby", write: rubySnippet, run: "Save it as render.rb, then: ruby render.rb" },
} satisfies Record<string, Language>;

export type LanguageName = keyof typeof LANGUAGES;

export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as LanguageName[];
