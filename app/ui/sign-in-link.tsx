"use client";

import { usePathname } from "next/navigation";
import { LinkButton } from "./link-button.tsx";
import { loginPath } from "./local-path.ts";

/** The way to the sign-in page and back to this one. On that page itself there is nothing to lead to. */
export function SignInLink() {
  const path = usePathname();
  if (path === "/login") return null;
  return (
    <LinkButton href={loginPath(path)} size="small">
      Sign in
    </LinkButton>
  );
}
