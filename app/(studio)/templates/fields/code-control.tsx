import { CODE_LANGUAGES, PLAIN_CODE } from "#lib/templates/drawings/code-languages.ts";
import { Select } from "../../../ui/form/select.tsx";
import { TextArea, TextField } from "../../../ui/form/text-field.tsx";
import type { EditValue } from "../edits.ts";
import { type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";

const OPTIONS = [
  { value: PLAIN_CODE, label: "No colours" },
  ...Object.entries(CODE_LANGUAGES).map(([value, label]) => ({ value, label })),
];

type Code = { text: string; language: string; lines: string };

function readCode(value: EditValue | undefined, language: string): Code {
  if (typeof value === "string") return { text: value, language, lines: "" };
  const given = (typeof value === "object" ? value : {}) as Partial<Code>;
  return { text: given.text ?? "", language: given.language ?? language, lines: given.lines ?? "" };
}

/** Code, its language, and the lines that are marked. Empty code leaves the field out. */
export function CodeControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"code">>) {
  const code = readCode(value, declaration.language);
  const change = (part: Partial<Code>) => {
    const next = { ...code, ...part };
    onChange(next.text === "" ? "" : next);
  };
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <TextArea
        {...frame}
        rows={6}
        value={code.text}
        dir="ltr"
        className="font-mono text-sm"
        placeholder={emptyPlaceholder(declaration)}
        aria-required={declaration.required}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => change({ text: target.value })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={`Language of ${declaration.label.toLowerCase()}`}
          value={code.language}
          options={OPTIONS}
          onChange={({ target }) => change({ language: target.value })}
        />
        <TextField
          label={`Marked lines of ${declaration.label.toLowerCase()}`}
          value={code.lines}
          placeholder="Such as 2, 5-7"
          autoComplete="off"
          onChange={({ target }) => change({ lines: target.value })}
        />
      </div>
    </div>
  );
}
