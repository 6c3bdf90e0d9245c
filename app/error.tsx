"use client";

import { Button } from "./ui/button.tsx";
import { LinkButton } from "./ui/link-button.tsx";

/** What a page shows instead of itself when it failed. The reason is in the log, under the digest. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="py-[10vh]">
      <h1 className="max-w-[22ch] font-display font-semibold text-3xl tracking-tight">
        Something went wrong on our side.
      </h1>
      <p className="mt-4 max-w-prose text-soft">
        The log has the reason{error.digest && <code className="font-mono"> under {error.digest}</code>}.
      </p>
      <p className="mt-8 flex flex-wrap gap-3">
        <Button tone="primary" onClick={reset}>
          Try again
        </Button>
        <LinkButton href="/">Start again</LinkButton>
      </p>
    </div>
  );
}
