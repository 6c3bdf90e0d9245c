"use client";

import { Button } from "../form/button.tsx";

/** Loads the whole page again: the router may have cached the failed one. */
export function ReloadButton() {
  return (
    <Button tone="primary" onClick={() => window.location.reload()}>
      Try again
    </Button>
  );
}
