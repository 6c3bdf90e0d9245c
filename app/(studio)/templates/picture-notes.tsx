import { pointer } from "#lib/errors.ts";
import { FailureNotice } from "../../ui/failure-notice.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { StudioTemplate } from "./edits.ts";
import type { Drawing } from "./use-picture.ts";

type NotesProps = { template: StudioTemplate; drawing: Drawing };

/** What can be done where the message alone does not say it. */
const REMEDIES: Partial<Record<string, string>> = {
  render_timeout: "The picture took too long. Shorter texts or smaller images draw faster.",
  payload_too_large: "Choose smaller images: the whole request may have 12 MB.",
  misconfigured: "Whoever runs this service finds the reason on its status page and in its log.",
  unavailable: "Whoever runs this service finds the reason on its status page and in its log.",
  network: "The picture above is the last that could be drawn.",
};

function Failure({ template, drawing: { failure, retrySeconds } }: NotesProps) {
  const fields = Object.keys(template.fields).map((name) => pointer("/data", name));
  const atFields = failure?.issues.filter(({ path }) => fields.includes(path)).length ?? 0;
  const remedy = failure && REMEDIES[failure.code];
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      <FailureNotice failure={failure} fields={fields} />
      {atFields > 0 && (
        <p className="text-danger text-sm">
          {atFields === 1 ? "A field has" : `${atFields} fields have`} a value that cannot be drawn. The picture shows
          what was there before.
        </p>
      )}
      {retrySeconds !== undefined && (
        <p className="text-soft text-sm">
          It is asked for again by itself in {retrySeconds} {retrySeconds === 1 ? "second" : "seconds"}.
        </p>
      )}
      {remedy && retrySeconds === undefined && <p className="text-soft text-sm">{remedy}</p>}
    </div>
  );
}

function WarningList({ template, drawing: { picture, failure } }: NotesProps) {
  if (!picture || failure || picture.warnings.warnings.length === 0) return null;
  const { warnings, more } = picture.warnings;
  const labelOf = (path: string) => template.fields[path.slice("/data/".length)]?.label;
  return (
    <Notice tone="warn" title={warnings.length + more === 1 ? "A warning" : `${warnings.length + more} warnings`}>
      <ul className="mt-1 flex flex-col gap-1 text-sm">
        {warnings.map(({ path, code, message }) => (
          <li key={`${path} ${code}`}>
            <span className="font-medium">{labelOf(path) ?? path}:</span> {message}
          </li>
        ))}
        {more > 0 && <li>And {more} more.</li>}
      </ul>
    </Notice>
  );
}

/** In one sentence what became of the picture. It changes only when there is something else to say. */
function spoken({ picture, failure, retrySeconds }: Drawing): string {
  if (failure) return retrySeconds === undefined ? "The picture could not be drawn." : "The picture has to wait.";
  if (!picture) return "";
  const count = picture.warnings.warnings.length + picture.warnings.more;
  if (count === 0) return "The picture is up to date.";
  return `The picture is up to date, with ${count} ${count === 1 ? "warning" : "warnings"}.`;
}

/** What there is to say about the picture: its faults and its warnings. */
export function PictureNotes(props: NotesProps) {
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="sr-only">
        {spoken(props.drawing)}
      </p>
      <Failure {...props} />
      <WarningList {...props} />
    </div>
  );
}
