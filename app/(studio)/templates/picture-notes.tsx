import { pointer } from "#lib/errors.ts";
import { Notice } from "../../ui/notice.tsx";
import type { StudioTemplate } from "./edits.ts";
import type { Drawing } from "./use-picture.ts";

type NotesProps = { template: StudioTemplate; drawing: Drawing };

const ASK_THE_OPERATOR = "Whoever runs this service finds the reason on its status page and in its log.";

/** What can be done where the message alone does not say it. */
const REMEDIES: Partial<Record<string, string>> = {
  render_timeout: "The picture took too long. Shorter texts or smaller images draw faster.",
  payload_too_large: "Choose smaller images: the whole request may have 12 MB.",
  misconfigured: ASK_THE_OPERATOR,
  unavailable: ASK_THE_OPERATOR,
  network: "“Render now” tries again.",
};

function retryWords(seconds: number): string {
  return `It is asked for again by itself in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** What stops the picture, beside what the fields themselves say. Announced at once. */
export function PictureFailure({ template, drawing: { failure, retrySeconds } }: NotesProps) {
  const fields = Object.keys(template.fields).map((name) => pointer("/data", name));
  const rest = failure?.restBeside(fields) ?? [];
  const remedy = failure && (retrySeconds === undefined ? REMEDIES[failure.code] : retryWords(retrySeconds));
  return (
    <div role="alert">
      {failure && rest.length > 0 && (
        <Notice tone={retrySeconds === undefined ? "error" : "warn"}>
          {rest.map((message) => (
            <p key={message}>{message}</p>
          ))}
          {remedy && <p className="text-sm text-soft">{remedy}</p>}
          {failure.requestId && failure.status >= 500 && (
            <p className="mt-1 font-mono text-soft text-xs">Request {failure.requestId}</p>
          )}
        </Notice>
      )}
    </div>
  );
}

/** What the picture shows otherwise than was asked for, all in one place. */
export function PictureWarnings({ template, drawing: { picture, failure } }: NotesProps) {
  if (!picture || failure || picture.warnings.warnings.length === 0) return null;
  const { warnings, more } = picture.warnings;
  const count = warnings.length + more;
  const labelOf = (path: string) => template.fields[path.slice("/data/".length)]?.label ?? path;
  return (
    <Notice tone="warn" title={count === 1 ? "One warning" : `${count} warnings`}>
      <ul className="mt-1 flex flex-col gap-1 text-sm [overflow-wrap:anywhere]">
        {warnings.map(({ path, code, message }) => (
          <li key={`${path} ${code}`}>
            <span className="font-medium">{labelOf(path)}:</span> {message}
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

/** Says to screen readers what became of the picture, when they have said what they were at. */
export function PictureStatus({ drawing }: { drawing: Drawing }) {
  return (
    <p role="status" className="sr-only">
      {spoken(drawing)}
    </p>
  );
}
