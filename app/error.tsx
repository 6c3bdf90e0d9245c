"use client";

import { Button, LinkButton } from "./ui/form/button.tsx";

/** Replaces a page that failed in the browser. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="py-[10vh]">
      <h1 className="max-w-[22ch] font-display font-semibold text-3xl tracking-tight">Something went wrong</h1>
      <p className="mt-4 max-w-prose text-soft">
        The operator finds the reason in the service log
        {error.digest && (
          <>
            {" "}
            under <code className="font-mono">{error.digest}</code>
          </>
        )}
        .
      </p>
      <p className="mt-8 flex flex-wrap gap-3">
        <Button tone="primary" onClick={reset}>
          Try again
        </Button>
        <LinkButton href="/">See the templates</LinkButton>
      </p>
    </div>
  );
}
