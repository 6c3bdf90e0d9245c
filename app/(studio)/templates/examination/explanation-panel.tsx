"use client";

import { useState } from "react";
import type { Explanation } from "#lib/schemas/explanation.ts";
import { leafPointer } from "#lib/templates/lists/leaf-fields.ts";
import { type RenderCall, send } from "../../../ui/api/api.ts";
import { withKeys } from "../../../ui/content/with-keys.ts";
import { FailureNotice, Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/form/button.tsx";
import { useSubmit } from "../../../ui/form/use-submit.ts";
import type { StudioTemplate } from "../edits.ts";
import { fieldWords } from "../field-words.ts";

type Text = Explanation["texts"][number];

type Explained = { call: RenderCall; explanation: Explanation };

function sizeOf({ fontSize, designedSize }: Text): string {
  const isFitted = designedSize !== undefined && designedSize !== fontSize;
  return isFitted ? `${fontSize} px instead of ${designedSize} px` : `${fontSize} px`;
}

function rowsOf(text: Text): [term: string, values: string[]][] {
  const { lines, faces, contrast, why } = text;
  return [
    ["Size", [sizeOf(text)]],
    ["Lines", lines],
    ["Faces", faces.map(({ face, glyphs }) => `${face}, ${glyphs} ${glyphs === 1 ? "glyph" : "glyphs"}`)],
    ["Contrast", contrast ? [`${contrast.ratio}:1, at least ${contrast.wanted}:1 is wanted`] : []],
    ["Why", why],
  ];
}

function ExplainedText({ template, text }: { template: StudioTemplate; text: Text }) {
  const label = text.field === "" ? `“${text.text.slice(0, 60)}”` : fieldWords(template, leafPointer(text.field));
  const rows = rowsOf(text).filter(([, values]) => values.length > 0);
  return (
    <li className="rounded-md border border-line bg-surface px-4 py-3">
      <h3 className="font-medium [overflow-wrap:anywhere]">
        <bdi>{label}</bdi>
      </h3>
      <dl className="mt-1 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        {rows.map(([term, values]) => (
          <div key={term} className="contents">
            <dt className="text-soft">{term}</dt>
            <dd className="[overflow-wrap:anywhere]">
              {withKeys(values, (value) => value).map(({ key, item: value }) => (
                <p key={key} dir="auto">
                  {value}
                </p>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function Faults({ faults }: Pick<Explanation, "faults">) {
  if (faults.length === 0) return <p className="text-soft text-sm">No faults were found in this picture.</p>;
  return (
    <Notice tone="warn" title={faults.length === 1 ? "1 fault" : `${faults.length} faults`}>
      <ul className="mt-1 flex flex-col gap-1 text-sm [overflow-wrap:anywhere]">
        {withKeys(faults, ({ kind, message }) => `${kind} ${message}`).map(({ key, item }) => (
          <li key={key}>{item.message}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Tells for each text of the current picture the size, the lines, the faces, the contrast, and why. */
export function ExplanationPanel({ template, call }: { template: StudioTemplate; call: RenderCall }) {
  const [explained, setExplained] = useState<Explained>();
  const { isPending, failure, submit } = useSubmit(async () => {
    setExplained({ call, explanation: await send<Explanation>("POST", "/api/service/images/explain", call) });
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={() => void submit()} isPending={isPending}>
          Explain this picture
        </Button>
        <p role="status" className="text-soft text-sm">
          {explained && explained.call !== call && "The values have changed since this explanation."}
        </p>
      </div>
      <FailureNotice failure={failure} />
      {explained && (
        <>
          <Faults faults={explained.explanation.faults} />
          <ul className="grid gap-3 md:grid-cols-2">
            {withKeys(explained.explanation.texts, ({ field, text }) => `${field} ${text}`).map(
              ({ key, item: text }) => (
                <ExplainedText key={key} template={template} text={text} />
              ),
            )}
          </ul>
        </>
      )}
    </div>
  );
}
