"use client";

import { CodeBlock } from "../../ui/content/code-block.tsx";
import { Tabs } from "../../ui/content/tabs.tsx";
import { withOffsets } from "../../ui/content/text-offsets.ts";
import { Keys } from "./shortcuts.tsx";
import { codeTokens, type TokenKind } from "./snippets/code-tokens.ts";
import { LANGUAGE_NAMES, LANGUAGES, type LanguageName } from "./snippets/languages.ts";
import { hasImages, pictureFile, type SnippetRequest, TOKEN_VARIABLE } from "./snippets/snippet.ts";

const LOOKS: Record<TokenKind, string | undefined> = {
  plain: undefined,
  // Isolates right-to-left text from the code around it.
  string: "text-code-string [unicode-bidi:isolate]",
  comment: "text-code-comment",
  word: "text-code-word",
};

function Code({ code }: { code: string }) {
  return withOffsets(codeTokens(code), ({ text }) => text).map(({ part: { kind, text }, offset }) => (
    <span key={offset} className={LOOKS[kind]}>
      {text}
    </span>
  ));
}

type SnippetPanelProps = {
  request: SnippetRequest;
  language: LanguageName;
  onLanguageChange: (language: LanguageName) => void;
};

function RunHint({ language }: Pick<SnippetPanelProps, "language">) {
  const { run } = LANGUAGES[language];
  if (!run) return "Paste it into a shell.";
  return (
    <>
      Save it as <code className="font-mono">{run.file}</code> and run{" "}
      <code className="font-mono whitespace-nowrap">{run.command}</code>.
    </>
  );
}

function Hints({ request, language }: Pick<SnippetPanelProps, "request" | "language">) {
  return (
    <p className="mt-3 text-sm text-soft">
      <RunHint language={language} /> It writes the picture to <code className="font-mono">{pictureFile(request)}</code>
      .{hasImages(request) && " It reads images from files in the same folder."}
      {request.needsToken && (
        <>
          {" "}
          It reads a token from <code className="font-mono">{TOKEN_VARIABLE}</code>:{" "}
          <a className="link" href="/tokens">
            create one
          </a>
          .
        </>
      )}
    </p>
  );
}

/** The code that renders the same picture, in several languages. */
export function SnippetPanel({ request, language, onLanguageChange }: SnippetPanelProps) {
  return (
    <section aria-labelledby="code" className="mt-12 min-w-0">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="code" className="scroll-mt-4 font-display font-semibold text-xl">
          Render this picture from code
        </h2>
        <p className="hidden text-sm text-soft sm:block pointer-coarse:hidden">
          Copy with <Keys withShift />
        </p>
      </div>
      <Tabs
        label="Language"
        value={language}
        onValueChange={(value) => onLanguageChange(value as LanguageName)}
        tabs={LANGUAGE_NAMES.map((name) => {
          const code = name === language ? LANGUAGES[name].write(request) : "";
          return {
            value: name,
            label: LANGUAGES[name].label,
            panel: (
              <>
                <CodeBlock code={code} label={`The request in ${LANGUAGES[name].label}`}>
                  <Code code={code} />
                </CodeBlock>
                <Hints request={request} language={name} />
              </>
            ),
          };
        })}
      />
    </section>
  );
}
