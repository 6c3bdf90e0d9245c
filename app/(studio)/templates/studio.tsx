"use client";

import { useCallback, useMemo, useState } from "react";
import { copyText } from "../../ui/content/copy-button.tsx";
import { Picture } from "../../ui/content/picture.tsx";
import { thumbnailAddress } from "../../ui/content/thumbnail-address.ts";
import { notify, notifyFailure } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { type ServiceOrigin, useServiceOrigin } from "../../ui/page/use-service-origin.ts";
import { type StudioTemplate, snippetData } from "./edits.ts";
import { Examination } from "./examination/examination.tsx";
import { PicturePanel } from "./picture-panel.tsx";
import { useShortcuts } from "./shortcuts.tsx";
import { SnippetPanel } from "./snippet-panel.tsx";
import { LANGUAGES, type LanguageName } from "./snippets/languages.ts";
import { TemplateForm } from "./template-form.tsx";
import { usePicture } from "./use-picture.ts";
import { useStudio } from "./use-studio.ts";

/** The box of a thumbnail, in CSS pixels: four wide ones fit side by side. */
const BOX_PX = { width: 80, height: 60 };

type VariantPickerProps = { template: StudioTemplate; variant: string; onPick: (variant: string) => void };

/** Chooses the variant by its thumbnail. */
function VariantPicker({ template, variant, onPick }: VariantPickerProps) {
  const { slug, variants, width, height } = template;
  if (variants.length < 2) return null;
  const scale = Math.min(BOX_PX.width / width, BOX_PX.height / height);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return (
    <fieldset className="-mx-1 flex flex-wrap gap-x-2 gap-y-2 px-1">
      <legend className="sr-only">Variant</legend>
      {variants.map((name) => (
        <label
          key={name}
          className="group relative rounded-md text-left text-sm text-soft has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name="variant"
            value={name}
            autoComplete="off"
            aria-label={name}
            checked={name === variant}
            onChange={() => onPick(name)}
            className="absolute inset-0 z-1 cursor-pointer appearance-none outline-none"
          />
          <span className="block w-fit rounded-md border border-line bg-sunken p-0.5 group-hover:border-edge group-has-checked:border-accent group-has-checked:ring-1 group-has-checked:ring-accent">
            <Picture
              src={thumbnailAddress(slug, name)}
              alt=""
              {...size}
              style={size}
              className="max-w-none rounded-sm"
            />
          </span>
          <span className="mt-1 block max-w-32 truncate px-0.5 group-has-checked:font-medium">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

type StudioProps = {
  template: StudioTemplate;
  origin: ServiceOrigin;
  /** Whether calls from code need a token. */
  needsToken: boolean;
  acceptsAddresses: boolean;
  /** Whether the reader may see and start proofs. */
  mayProve: boolean;
};

async function copyCode(code: string, label: string): Promise<void> {
  if (await copyText(code)) notify(`${label} code copied`);
  else notifyFailure({ message: "Could not copy the code. Select it and copy it by hand." });
}

function FormHeading({ editCount, onReset }: { editCount: number; onReset: () => void }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-3">
      <h2 className="font-display font-semibold text-xl">
        Values
        <span className="ml-3 font-normal font-sans text-soft text-sm">
          {editCount === 0 ? "unchanged" : `${editCount} changed`}
        </span>
      </h2>
      <Button
        size="small"
        tone="quiet"
        // Not `disabled`, which would lose the focus after a click.
        aria-disabled={editCount === 0}
        className="-mr-2.5 aria-disabled:opacity-55"
        onClick={onReset}
      >
        Reset all
      </Button>
    </div>
  );
}

/** A template with its form, its rendered picture, and the code of the request. */
export function Studio({ template, origin: known, needsToken, acceptsAddresses, mayProve }: StudioProps) {
  const { variant, edits, address, call, setVariant, setEdit, resetField, resetAll } = useStudio(template);
  const [round, setRound] = useState(0);
  const renderState = usePicture(call, round);
  const [language, setLanguage] = useState<LanguageName>("curl");
  const origin = useServiceOrigin(known);
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
          <PicturePanel template={template} variant={variant} address={address} state={renderState} onRender={render} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <VariantPicker template={template} variant={variant} onPick={setVariant} />
          <FormHeading editCount={Object.keys(edits).length} onReset={resetAll} />
          <TemplateForm
            template={template}
            variant={variant}
            edits={edits}
            failure={renderState.failure}
            warnings={renderState.picture?.warnings}
            acceptsAddresses={acceptsAddresses}
            setEdit={setEdit}
            resetField={resetField}
          />
        </div>
      </div>
      <SnippetPanel request={request} language={language} onLanguageChange={setLanguage} />
      <Examination template={template} call={call} mayProve={mayProve} />
    </>
  );
}
