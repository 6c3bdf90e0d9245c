"use client";

import { Button } from "../../ui/button.tsx";
import { signOut } from "../../ui/sign-out.ts";

export function SignOutButton() {
  return <Button onClick={() => void signOut()}>Sign out</Button>;
}
