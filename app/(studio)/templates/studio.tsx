"use client";

import { useCallback, useMemo, useState } from "react";
import { copyText } from "../../ui/content/copy-button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { notify, notifyFailure } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { type ServiceOrigin, useServiceOrigin } from "../../ui/page/use-service-origin.ts";
import { type StudioTemplate, snippetData } from "./edits.ts";
import { Examination } from "./examination/examination.tsx";
import { invalidFields } from "./field-words.ts";
import { useMissedDrops } from "./fields/image/use-missed-drops.ts";
import { PicturePanel } from "./picture-panel.tsx";
import { useShortcuts } from "./shortcuts.tsx";
import { type Shown, SnippetPanel, shownCode } from "./snippet-panel.tsx";
import { TemplateForm } from "./template-form.tsx";
import { usePicture } from "./use-picture.ts";
import { useStudio } from "./use-studio.ts";
import { VariantPicker } from "./variant-picker.tsx";

type StudioProps = {
  template: StudioTemplate;
  origin: ServiceOrigin;
  /** Whether calls from code need a token. */
  needsToken: boolean;
  acceptsAddresses: boolean;
  /** Whether the service answers signed links. */
  signsLinks: boolean;
  /** Whether the reader may see and start proofs. */
  mayProve: boolean;
};

type Copied = { code: string; label: string; isInvalid: boolean };

async function copyCode({ code, label, isInvalid }: Copied): Promise<void> {
  if (await copyText(code)) notify(`${label} code copied${isInvalid ? ", with invalid values" : ""}`);
  else notifyFailure({ message: "Could not copy the code. Select it and copy it by hand." });
}

function FormHeading({ editCount, onReset }: { editCount: number; onReset: () => void }) {
  return (
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
      <h2 className="flex flex-wrap items-baseline gap-x-3 font-display font-semibold text-xl">
        Values
        <span className="font-normal font-sans text-soft text-sm">
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

/** What a reader without scripts can do here: the form changes nothing, but variants have addresses. */
function WithoutScripts({ template: { slug, variants } }: Pick<StudioProps, "template">) {
  return (
    <noscript>
      <div className="mb-6">
        <Notice tone="warn" title="This page needs JavaScript to draw your values">
          <p>Without it, the page shows a variant and the code that renders it. Choose one:</p>
          <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            {variants.map((name) => (
              <li key={name}>
                <a className="link" href={`/templates/${slug}?variant=${encodeURIComponent(name)}`}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </Notice>
      </div>
    </noscript>
  );
}

/** A template with its form, its rendered picture, and the code of the request. */
export function Studio({ template, origin: known, needsToken, acceptsAddresses, signsLinks, mayProve }: StudioProps) {
  const { variant, edits, address, call, setVariant, setEdit, resetField, resetAll } = useStudio(template);
  const [round, setRound] = useState(0);
  const renderState = usePicture(call, round);
  const [shown, setShown] = useState<Shown>({ language: "curl", isLink: false });
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
  const invalid = invalidFields(template, renderState.failure);
  const render = useCallback(() => setRound((last) => last + 1), []);
  useMissedDrops();
  useShortcuts({
    onRender: render,
    onCopy: () => {
      const { write, label } = shownCode(shown);
      void copyCode({ code: write(request), label, isInvalid: invalid.length > 0 });
    },
  });
  return (
    <>
      <WithoutScripts template={template} />
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
      <SnippetPanel request={request} shown={shown} onChange={setShown} signsLinks={signsLinks} invalid={invalid} />
      <Examination template={template} call={call} mayProve={mayProve} />
    </>
  );
}
