import { accessEnabled } from "#lib/config.ts";
import type { Viewer } from "./viewer.ts";

export type NavigationItem = { href: string; label: string };

const STUDIO = [
  { href: "/", label: "Templates" },
  { href: "/docs", label: "Docs" },
];
const STATUS = { href: "/status", label: "Status" };
const TOKENS = { href: "/tokens", label: "Tokens" };
const ADMINISTRATION = [{ href: "/users", label: "Users" }, { href: "/audit", label: "Audit" }, STATUS];

/** Where a reader may go from the header. What is not for them is not in the page at all. */
export function navigationItems(user: Viewer | null): NavigationItem[] {
  if (!accessEnabled()) return [...STUDIO, STATUS];
  if (user === null) return [];
  return [...STUDIO, TOKENS, ...(user.role === "admin" ? ADMINISTRATION : [])];
}
