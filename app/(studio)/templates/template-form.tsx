"use client";

import type { MouseEvent } from "react";
import { pointer } from "#lib/errors.ts";
import type { SimpleDeclaration } from "#lib/templates/fields/field-types.ts";
import { isDefaultWord } from "#lib/templates/filters/translation.ts";
import type { ApiFailure } from "../../ui/api/api-failure.ts";
import { baseOf, type Edits, type EditValue, isPicked, type PickedImage, type StudioTemplate } from "./edits.ts";
import type { Control } from "./fields/control.ts";
import { CONTROLS, isShort } from "./fields/controls.tsx";
import { DeclaredLabel } from "./fields/declared-label.tsx";
import { ListControl } from "./fields/list-control.tsx";
import type { Warnings } from "./use-picture.ts";

/** The limit for all images of a request together, in bytes: Base64 adds a third, and a body has at most 12,000,000. */
const MAX_IMAGE_BYTES = 8_900_000;

export type FormProps = {
  template: StudioTemplate;
  variant: string;
  edits: Edits;
  failure: ApiFailure | undefined;
  warnings: Warnings | undefined;
  acceptsAddresses: boolean;
  setEdit: (name: string, value: EditValue) => void;
  resetField: (name: string) => void;
};

/** The control of a field, which gets the focus when the reset button disappears. */
const MAIN_CONTROL =
  "textarea, select, [type=checkbox], [type=radio]:checked, [data-image-zone] input, input.control, [data-toggle], [data-add]";

function ResetButton({ label, onReset }: { label: string; onReset: () => void }) {
  const reset = (event: MouseEvent<HTMLButtonElement>) => {
    event.currentTarget.closest("[data-field]")?.querySelector<HTMLElement>(MAIN_CONTROL)?.focus();
    onReset();
  };
  return (
    <button type="button" aria-label={`Reset ${label}`} onClick={reset} className="link text-xs not-last:mr-2.5">
      Reset
    </button>
  );
}

function usedBytes(value: EditValue | Edits | null): number {
  if (typeof value !== "object" || value === null) return 0;
  if (isPicked(value as EditValue)) return (value as PickedImage).bytes;
  return Object.values<EditValue | null>(value).reduce<number>((sum, inner) => sum + usedBytes(inner), 0);
}

function TemplateField({ name, form }: { name: string; form: FormProps }) {
  const { template, variant, edits, failure, warnings, acceptsAddresses, setEdit, resetField } = form;
  const declaration = template.fields[name];
  if (!declaration) return null;
  const base = baseOf(template, variant, name);
  const isEdited = Object.hasOwn(edits, name);
  const path = pointer("/data", name);
  // Its word is that of the picture's language, which may be another one than the variant's.
  const isTranslated = !isEdited && declaration.type === "text" && isDefaultWord(declaration, base.value);
  const warningAt = (at: string) =>
    failure ? undefined : warnings?.warnings.find((candidate) => candidate.path === at)?.message;
  const errorAt = (at: string) => failure?.issues.find((issue) => issue.path === at)?.message;
  const props = {
    value: isEdited ? edits[name] : isTranslated ? "" : base.value,
    base,
    onChange: (value: EditValue) => setEdit(name, value),
    acceptsAddresses,
    availableBytes: MAX_IMAGE_BYTES - usedBytes(edits),
    frame: {
      name,
      label: <DeclaredLabel declaration={declaration} />,
      help: declaration.description,
      error: declaration.type === "list" ? errorAt(path) : failure?.issueAt(path),
      warning: warningAt(path),
      counter: isEdited && <ResetButton label={declaration.label} onReset={() => resetField(name)} />,
      className: isEdited ? undefined : "[&_.control:not(:focus)]:text-soft",
    },
  };
  if (declaration.type === "list") {
    // Items have faults of their own. Those of a value may be about a part of it.
    const isValue = (at: string) => at.split("/").length > 2;
    const says = {
      errorAt: (at: string) => (isValue(at) ? failure?.issueAt(path + at) : errorAt(path + at)),
      warningAt: (at: string) => warningAt(path + at),
    };
    return (
      <div data-field={name} className="min-w-0 @md:col-span-2">
        <ListControl {...props} {...says} declaration={declaration} />
      </div>
    );
  }
  // TypeScript cannot infer that the control matches the type of the declaration.
  const FieldControl = CONTROLS[declaration.type] as unknown as Control<SimpleDeclaration["type"]>;
  return (
    <div data-field={name} className={`min-w-0 ${isShort(declaration) ? "" : "@md:col-span-2"}`}>
      <FieldControl {...props} declaration={declaration} />
    </div>
  );
}

/** The form of a template. Values that are not edited have a softer colour. */
export function TemplateForm(form: FormProps) {
  const names = Object.keys(form.template.fields);
  if (names.length === 0) return <p className="text-soft">This template has no fields. Choose one of its variants.</p>;
  return (
    <div className="@container">
      <div className="grid grid-cols-1 items-start gap-x-4 gap-y-5 @md:grid-cols-2">
        {names.map((name) => (
          <TemplateField key={name} name={name} form={form} />
        ))}
      </div>
    </div>
  );
}
