import type { Viewer } from "../../ui/viewer.ts";

export type Role = Viewer["role"];

/** The roles, as lists name them. */
export const ROLES: { value: Role; label: string }[] = [
  { value: "user", label: "User" },
  { value: "admin", label: "Administrator" },
];

/** What each may do, in a sentence. */
export const MAY: Record<Role, string> = {
  user: "Renders, and has tokens of their own.",
  admin: "Manages users and reads the audit trail, beside rendering.",
};
