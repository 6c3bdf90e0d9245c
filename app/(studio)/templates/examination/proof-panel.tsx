"use client";

import type { ProofReport } from "#lib/schemas/proof.ts";
import { TimeAgo } from "../../../ui/content/time-ago.tsx";
import { withKeys } from "../../../ui/content/with-keys.ts";
import { FailureNotice, Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/form/button.tsx";
import { useSubmit } from "../../../ui/form/use-submit.ts";
import type { StudioTemplate } from "../edits.ts";
import { writeAddress } from "../studio-address.ts";
import { useProof } from "./use-proof.ts";

type Kept = NonNullable<ProofReport["kept"]>;

type FaultyPicture = Kept["faulty"][number];

/** Edits that a link can carry: the proof leaves the bytes of images out. */
function addressOf(template: StudioTemplate, { variant, data }: FaultyPicture): string {
  const edits = Object.entries(data).filter(([, value]) => typeof value !== "string" || !value.startsWith("data:"));
  const texts = edits.map(([name, value]) => [name, value === null ? "" : value] as const);
  const { query } = writeAddress(template, { variant, edits: Object.fromEntries(texts) as Record<string, string> });
  return `/templates/${template.slug}${query}`;
}

function FaultyPictures({ template, faulty }: { template: StudioTemplate; faulty: FaultyPicture[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {faulty.map((picture) => (
        <li
          key={`${picture.variant} ${picture.content}`}
          className="rounded-md border border-line bg-surface px-4 py-3 text-sm [overflow-wrap:anywhere]"
        >
          {/* A navigation within the page would keep the edits that it has now. */}
          <a className="link font-medium" href={addressOf(template, picture)}>
            {picture.variant}, {picture.content}
          </a>
          <ul className="mt-1 flex flex-col gap-0.5">
            {withKeys(picture.faults, ({ kind, message }) => `${kind} ${message}`).map(({ key, item }) => (
              <li key={key}>
                <span className="font-mono text-soft text-xs">{item.kind}</span> {item.message}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function KeptResult({ template, kept }: { template: StudioTemplate; kept: Kept }) {
  const { pictures, faulty, finishedAt, isCurrent } = kept;
  const found = faulty.length === 0 ? "none has a fault" : `${faulty.length} with faults`;
  return (
    <>
      <p>
        {pictures} pictures, {found}.{" "}
        <span className="text-soft text-sm">
          Finished <TimeAgo moment={finishedAt} />.
        </span>
      </p>
      {!isCurrent && <Notice tone="info">The template, the browser or the fonts have changed since this proof.</Notice>}
      <FaultyPictures template={template} faulty={faulty} />
    </>
  );
}

function progressOf(run: ProofReport["run"] | undefined): string {
  if (!run) return "";
  return run.of === 0 ? "The proof is about to begin." : `${run.done} of ${run.of} pictures`;
}

/** The faults that a proof has found in the template's pictures with difficult contents. */
export function ProofPanel({ template }: { template: StudioTemplate }) {
  const { report, failure, start } = useProof(template.slug);
  const { isPending, submit } = useSubmit(start);
  const isRunning = report?.run != null;
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-soft text-sm">
        A proof draws every variant with contents that are hard to set, one picture after the other, and looks for
        faults in them. Its pictures wait in the queue like those of requests.
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={() => void submit()} isPending={isPending || isRunning}>
          Run the proof
        </Button>
        <p role="status" className="text-soft text-sm tabular-nums">
          {progressOf(report?.run)}
        </p>
      </div>
      <FailureNotice failure={failure} />
      {report?.failure && <Notice tone="error">{report.failure}</Notice>}
      {report?.kept && <KeptResult template={template} kept={report.kept} />}
      {report && !report.kept && !isRunning && <p className="text-soft">There is no proof of this template yet.</p>}
    </div>
  );
}
