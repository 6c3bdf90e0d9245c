"use client";

import { CodeBlock } from "../../ui/content/code-block.tsx";
import { Tabs } from "../../ui/content/tabs.tsx";
import { withOffsets } from "../../ui/content/text-offsets.ts";
import { Switch } from "../../ui/form/switch.tsx";
import { Keys } from "./shortcuts.tsx";
import { codeTokens, type TokenKind } from "./snippets/code-tokens.ts";
import { LANGUAGE_NAMES, LANGUAGES, type LanguageName, LINK_LANGUAGES } from "./snippets/languages.ts";
import { LINK_KEY_VARIABLE, linkFault } from "./snippets/link-program.ts";
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

/** What the code does: it renders the picture, or signs a link to it. */
export type Shown = { language: LanguageName; isLink: boolean };

/** The code that is shown, and the language that it is in: curl signs no links. */
export function shownCode({ language, isLink }: Shown) {
  if (!isLink) return { name: language, ...LANGUAGES[language] };
  const name = language === "curl" ? "typescript" : language;
  return { name, ...LINK_LANGUAGES[name] };
}

type SnippetPanelProps = {
  request: SnippetRequest;
  shown: Shown;
  onChange: (shown: Shown) => void;
  /** Whether the service answers signed links. */
  signsLinks: boolean;
  /** The labels of the fields whose values the service has refused. */
  invalid: string[];
};

function RunHint({ run }: { run?: { file: string; command: string } | undefined }) {
  if (!run) return "Paste it into a shell.";
  return (
    <>
      Save it as <code className="font-mono">{run.file}</code> and run{" "}
      <code className="font-mono whitespace-nowrap">{run.command}</code>.
    </>
  );
}

function RenderHints({ request, shown }: Pick<SnippetPanelProps, "request" | "shown">) {
  return (
    <p className="mt-3 text-sm text-soft">
      <RunHint run={LANGUAGES[shown.language].run} /> It writes the picture to{" "}
      <code className="font-mono">{pictureFile(request)}</code>.
      {hasImages(request) && " It reads images from files in the same folder."}
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

function LinkHints({ shown }: Pick<SnippetPanelProps, "shown">) {
  return (
    <p className="mt-3 text-sm text-soft">
      <RunHint run={shownCode(shown).run} /> It prints an address that shows this picture to everyone. It reads a key of
      the service from <code className="font-mono">{LINK_KEY_VARIABLE}</code>. Keep the key on your server.
    </p>
  );
}

const LINK_FAULTS = {
  image: "A link cannot hold an image file. Name the image by address, or remove it.",
  long: "These values are too long for a link, which holds 6 kB of JSON. Shorten the texts.",
};

/** The mark of code for values that the service has refused. */
function faultOf(invalid: string[]): string | undefined {
  if (invalid.length === 0) return undefined;
  return `Invalid ${invalid.length === 1 ? "value" : "values"}: ${invalid.join("; ")}. This code renders no picture.`;
}

function CodeTabs({ request, shown, onChange, invalid }: Omit<SnippetPanelProps, "signsLinks">) {
  const { isLink } = shown;
  const { name, write } = shownCode(shown);
  const names = LANGUAGE_NAMES.filter((language) => !isLink || language !== "curl");
  return (
    <Tabs
      label="Language"
      value={name}
      onValueChange={(value) => onChange({ ...shown, language: value as LanguageName })}
      tabs={names.map((language) => {
        const { label } = LANGUAGES[language];
        const code = language === name ? write(request) : "";
        return {
          value: language,
          label,
          panel: (
            <>
              <CodeBlock
                code={code}
                label={isLink ? `A signed link in ${label}` : `The request in ${label}`}
                fault={faultOf(invalid)}
              >
                <Code code={code} />
              </CodeBlock>
              {isLink ? (
                <LinkHints shown={{ ...shown, language }} />
              ) : (
                <RenderHints request={request} shown={{ ...shown, language }} />
              )}
            </>
          ),
        };
      })}
    />
  );
}

/** The code that renders the same picture, or signs a link to it, in several languages. */
export function SnippetPanel({ request, shown, onChange, signsLinks, invalid }: SnippetPanelProps) {
  const fault = shown.isLink ? linkFault(request) : undefined;
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
      {signsLinks && (
        <div className="mb-3">
          <Switch
            label="Sign a link to it instead, for pages and e-mails"
            checked={shown.isLink}
            onCheckedChange={(isLink) => onChange({ ...shown, isLink })}
          />
        </div>
      )}
      {fault === undefined ? (
        <CodeTabs request={request} shown={shown} onChange={onChange} invalid={invalid} />
      ) : (
        <p className="text-soft">{LINK_FAULTS[fault]}</p>
      )}
    </section>
  );
}
