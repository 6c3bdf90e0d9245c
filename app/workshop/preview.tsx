"use client";

import { useCallback, useState } from "react";
import type { StudioTemplate } from "../(studio)/templates/edits.ts";
import { Examination } from "../(studio)/templates/examination/examination.tsx";
import { PicturePanel } from "../(studio)/templates/picture-panel.tsx";
import { TemplateForm } from "../(studio)/templates/template-form.tsx";
import { usePicture } from "../(studio)/templates/use-picture.ts";
import { useStudio } from "../(studio)/templates/use-studio.ts";
import { VariantPicker } from "../(studio)/templates/variant-picker.tsx";

type PreviewProps = { template: StudioTemplate; acceptsAddresses: boolean };

/** The picture of a template, its fields and its proof, one below the other. */
export function Preview({ template, acceptsAddresses }: PreviewProps) {
  const { variant, edits, address, call, setVariant, setEdit, resetField } = useStudio(template);
  const [round, setRound] = useState(0);
  const state = usePicture(call, round);
  const render = useCallback(() => setRound((last) => last + 1), []);
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <PicturePanel
        template={template}
        variant={variant}
        address={address}
        state={state}
        onRender={render}
        hasCode={false}
      />
      <VariantPicker template={template} variant={variant} onPick={setVariant} />
      <h2 className="font-display font-semibold text-xl">Values</h2>
      <TemplateForm
        template={template}
        variant={variant}
        edits={edits}
        failure={state.failure}
        warnings={state.picture?.warnings}
        acceptsAddresses={acceptsAddresses}
        setEdit={setEdit}
        resetField={resetField}
      />
      <Examination template={template} call={call} mayProve />
    </div>
  );
}
