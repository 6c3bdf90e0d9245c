import { pointer } from "#lib/errors.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import type { StudioTemplate } from "./edits.ts";
import { fieldWords } from "./field-words.ts";
import type { RenderState } from "./use-picture.ts";

type NotesProps = { template: StudioTemplate; state: RenderState };

const ASK_THE_OPERATOR = "The operator finds the reason on the status page and in the service log.";

/** What to do, for codes whose message does not say it. */
const REMEDIES: Partial<Record<string, string>> = {
  render_timeout: "Shorter texts and smaller images render faster.",
  payload_too_large: "Choose smaller images: a request can have at most 12 MB.",
  misconfigured: ASK_THE_OPERATOR,
  unavailable: ASK_THE_OPERATOR,
  network: "To try again, choose “Render now”.",
};

function retryWords(seconds: number): string {
  return `Trying again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** The messages of a failure that no field shows. Announced at once. */
export function PictureFailure({ template, state: { failure, retrySeconds } }: NotesProps) {
  const fields = Object.keys(template.fields).map((name) => pointer("/data", name));
  const messages = failure?.messagesExceptAt(fields) ?? [];
  const remedy = failure && (retrySeconds === undefined ? REMEDIES[failure.code] : retryWords(retrySeconds));
  return (
    <div role="alert">
      {failure && messages.length > 0 && (
        <Notice tone={retrySeconds === undefined ? "error" : "warn"}>
          {messages.map((message) => (
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

/** All render warnings in a list. */
export function PictureWarnings({ template, state: { picture, failure } }: NotesProps) {
  if (!picture || failure || picture.warnings.warnings.length === 0) return null;
  const { warnings, more } = picture.warnings;
  const count = warnings.length + more;
  return (
    <Notice tone="warn" title={count === 1 ? "1 warning" : `${count} warnings`}>
      <ul className="mt-1 flex flex-col gap-1 text-sm [overflow-wrap:anywhere]">
        {warnings.map(({ path, code, message }) => (
          <li key={`${path} ${code}`}>
            <span className="font-medium">{fieldWords(template, path)}:</span> {message}
          </li>
        ))}
        {more > 0 && <li>And {more} more.</li>}
      </ul>
    </Notice>
  );
}

/** The state of the picture in a sentence. */
function describe({ picture, failure, retrySeconds }: RenderState): string {
  if (failure)
    return retrySeconds === undefined ? "The picture could not be rendered." : "The picture is waiting for a retry.";
  if (!picture) return "";
  const count = picture.warnings.warnings.length + picture.warnings.more;
  if (count === 0) return "The picture is up to date.";
  return `The picture is up to date, with ${count} ${count === 1 ? "warning" : "warnings"}.`;
}

/** Announces the state of the picture politely. */
export function PictureStatus({ state }: { state: RenderState }) {
  return (
    <p role="status" className="sr-only">
      {describe(state)}
    </p>
  );
}
