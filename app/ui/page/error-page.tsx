import type { ErrorCode } from "#lib/errors.ts";
import { LinkButton } from "../form/button.tsx";
import { ReloadButton } from "./reload-button.tsx";

/** What to do, by the code of the error. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  unavailable: "Try again in a few seconds. If that does not help, the operator finds the reason in the service log.",
  overloaded: "Try again in a few seconds.",
  misconfigured: "The operator has to correct the configuration and restart the service.",
};

const OTHER_REMEDY = "If trying again does not help, the operator finds the reason in the service log.";

const UNAVAILABLE = 503;

type ErrorPageProps = { status: number; code: ErrorCode; message: string; requestId: string };

/** Replaces a page that cannot be rendered. */
export function ErrorPage({ status, code, message, requestId }: ErrorPageProps) {
  return (
    <div className="py-[10vh]">
      <p className="font-mono text-accent text-sm">{status}</p>
      <h1 className="mt-3 max-w-[22ch] font-display font-semibold text-3xl tracking-tight">
        {status === UNAVAILABLE ? "This page is not available right now" : "This page cannot be shown"}
      </h1>
      <p className="mt-4 max-w-prose">{message}</p>
      <p className="mt-2 max-w-prose text-soft">{REMEDIES[code] ?? OTHER_REMEDY}</p>
      <p className="mt-2 max-w-prose text-soft">
        Request ID: <code className="font-mono text-ink text-sm">{requestId}</code>
      </p>
      <p className="mt-8 flex flex-wrap gap-3">
        <ReloadButton />
        <LinkButton href="/">See the templates</LinkButton>
      </p>
    </div>
  );
}
