"use client";

import { useState } from "react";
import type { RenderCall } from "../../../ui/api/api.ts";
import { Tabs } from "../../../ui/content/tabs.tsx";
import type { StudioTemplate } from "../edits.ts";
import { ExplanationPanel } from "./explanation-panel.tsx";
import { ProofPanel } from "./proof-panel.tsx";

type ExaminationProps = {
  template: StudioTemplate;
  call: RenderCall;
  /** Whether the reader may see and start proofs. */
  mayProve: boolean;
};

/** What the service knows about the texts of the picture, and about the template in general. */
export function Examination({ template, call, mayProve }: ExaminationProps) {
  const [tab, setTab] = useState("explanation");
  const explanation = {
    value: "explanation",
    label: "This picture",
    panel: <ExplanationPanel template={template} call={call} />,
  };
  const proof = { value: "proof", label: "Proof", panel: <ProofPanel template={template} /> };
  return (
    <section aria-labelledby="examination" className="mt-12 min-w-0">
      <h2 id="examination" className="mb-3 scroll-mt-4 font-display font-semibold text-xl">
        Texts and faults
      </h2>
      <Tabs
        label="Texts and faults"
        value={tab}
        onValueChange={setTab}
        tabs={mayProve ? [explanation, proof] : [explanation]}
      />
    </section>
  );
}
