"use client";

import { useRouter } from "next/navigation";
import { ChevronDown } from "./icons.tsx";
import { Menu } from "./menu.tsx";
import { signOut } from "./sign-out.ts";

/** The first letters of up to two words, whatever the script. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2);
  return words.map((word) => [...word][0]?.toUpperCase() ?? "").join("");
}

/** Whoever is signed in, and what concerns their account. */
export function AccountMenu({ name, email }: { name: string; email: string }) {
  const router = useRouter();
  return (
    <Menu
      label={`Account of ${name}`}
      className="flex max-w-52 items-center gap-2 rounded-full border border-line bg-surface p-0.5 text-sm sm:pr-2.5"
      heading={email}
      items={[
        { label: "Account", onSelect: () => router.push("/account") },
        { label: "Sign out", onSelect: () => void signOut() },
      ]}
    >
      <span className="grid size-7 flex-none place-items-center rounded-full bg-ink font-medium text-[0.6875rem] text-paper">
        {initialsOf(name)}
      </span>
      <span className="hidden truncate sm:inline">{name}</span>
      <span className="hidden text-soft sm:inline">
        <ChevronDown />
      </span>
    </Menu>
  );
}
