"use client";

import Link, { useLinkStatus } from "next/link";
import type { ComponentProps } from "react";

/** A bar at the top of the window, once the server has taken a while to send the page of the link. */
function Progress() {
  const { pending } = useLinkStatus();
  return pending && <span aria-hidden="true" className="link-progress" />;
}

/** A link to another page of the service. */
export function PageLink({ children, ...rest }: ComponentProps<typeof Link>) {
  return (
    // Pages render on request: prefetching would render pages that nobody opens.
    <Link prefetch={false} {...rest}>
      {children}
      <Progress />
    </Link>
  );
}
