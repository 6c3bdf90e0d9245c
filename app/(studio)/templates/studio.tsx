"use client";

import { useCallback, useMemo, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { notify, notifyFailure } from "../../ui/notify.ts";
import { type KnownOrigin, useOrigin } from "../../ui/use-origin.ts";
import { type StudioTemplate, snippetData } from "./edits.ts";
import { PicturePanel } from "./picture-panel.tsx";
import { SnippetPanel } from "./snippet-panel.tsx";
import { LANGUAGES, type LanguageName } from "./snippets/languages.ts";
import { TemplateForm } from "./template-form.tsx";
import { usePicture } from "./use-picture.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useStudio } from "./use-studio.ts";
import { VariantPicker } from "./variant-picker.tsx";

type StudioProps = {
  template: StudioTemplate;
  origin: KnownOrigin;
  /** Whether calls from code need a token. */
  needsToken: boolean;
  acceptsAddresses: boolean;
};

async function copyCode(code: string, label: string): Promise<void> {
  if (await copyText(code)) notify(`Copied the ${label} code`);
  else notifyFailure({ message: "Could not copy. Select the code and copy it by hand." });
}

function FormHeading({ editCount, onReset }: { editCount: number; onReset: () => void }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-3">
      <h2 className="font-display font-semibold text-xl">
        Values
        <span className="ml-3 font-normal font-sans text-soft text-sm">
          {editCount === 0 ? "the variant’s own" : `${editCount} changed`}
        </span>
      </h2>
      <Button
        size="small"
        tone="quiet"
        // Not `disabled`, by which a press would lose the focus.
        aria-disabled={editCount === 0}
        className="-mr-2.5 aria-disabled:opacity-55"
        onClick={onReset}
      >
        Reset all
      </Button>
    </div>
  );
}

/** A template at work: its form, the picture that the engine draws of it, and the code that asks for the same. */
export function Studio({ template, origin: known, needsToken, acceptsAddresses }: StudioProps) {
  const { variant, edits, address, call, setVariant, setEdit, resetField, resetAll } = useStudio(template);
  const [round, setRound] = useState(0);
  const drawing = usePicture(call, round);
  const [language, setLanguage] = useState<LanguageName>("curl");
  const origin = useOrigin(known);
  const { slug, defaultVariant } = template;
  const request = useMemo(
    () => ({
      origin,
      template: slug,
      variant: variant === defaultVariant ? undefined : variant,
      data: snippetData(edits),
      needsToken,
    }),
    [origin, slug, defaultVariant, variant, edits, needsToken],
  );
  const render = useCallback(() => setRound((last) => last + 1), []);
  useShortcuts({
    onRender: render,
    onCopy: () => void copyCode(LANGUAGES[language].write(request), LANGUAGES[language].label),
  });
  return (
    <>
      <div className="studio grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,27rem)] xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
        <div className="max-lg:contents lg:sticky lg:top-4">
          <PicturePanel template={template} variant={variant} address={address} drawing={drawing} onRender={render} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <VariantPicker template={template} variant={variant} onPick={setVariant} />
          <FormHeading editCount={Object.keys(edits).length} onReset={resetAll} />
          <TemplateForm
            template={template}
            variant={variant}
            edits={edits}
            failure={drawing.failure}
            warnings={drawing.picture?.warnings}
            acceptsAddresses={acceptsAddresses}
            setEdit={setEdit}
            resetField={resetField}
          />
        </div>
      </div>
      <SnippetPanel request={request} language={language} onLanguageChange={setLanguage} />
    </>
  );
}
