"use client";

import { Button } from "./button.tsx";

/** Asks for the page anew and as a whole: what the router keeps of its address may be what went wrong. */
export function ReloadButton() {
  return (
    <Button tone="primary" onClick={() => window.location.reload()}>
      Try again
    </Button>
  );
}
