import type { ErrorCode } from "#lib/errors.ts";
import type { PageError } from "#lib/http/server/page-error.ts";
import { LinkButton } from "./link-button.tsx";
import { ReloadButton } from "./reload-button.tsx";

/** What to do, and who has to do it. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  unavailable:
    "This often passes within seconds. Where it does not, whoever runs the service finds the reason in its log.",
  overloaded: "This passes by itself: try again in a few seconds.",
  misconfigured: "Whoever runs the service has to mend its configuration, and start it again.",
};

const OTHER_REMEDY = "Where trying again does not help, whoever runs the service finds the reason in its log.";

const UNAVAILABLE = 503;

/** What a page shows instead of itself. */
export function NotShown({ error, requestId }: PageError) {
  const isAway = error.status === UNAVAILABLE;
  return (
    <div className="py-[10vh]">
      <p className="font-mono text-accent text-sm">{error.status}</p>
      <h1 className="mt-3 max-w-[22ch] font-display font-semibold text-3xl tracking-tight">
        {isAway ? "This page is not available right now." : "This page cannot be shown."}
      </h1>
      <p className="mt-4 max-w-prose">{error.message}</p>
      <p className="mt-2 max-w-prose text-soft">{REMEDIES[error.code] ?? OTHER_REMEDY}</p>
      <p className="mt-2 max-w-prose text-soft">
        The log has it under <code className="font-mono text-ink text-sm">{requestId}</code>.
      </p>
      <p className="mt-8 flex flex-wrap gap-3">
        <ReloadButton />
        <LinkButton href="/">See the templates</LinkButton>
      </p>
    </div>
  );
}
