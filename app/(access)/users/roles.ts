import type { Viewer } from "../../ui/viewer.ts";

export type Role = Viewer["role"];

/** The roles, each with what it may do. */
export const ROLES: { value: Role; label: string }[] = [
  { value: "user", label: "User: renders, and has tokens of their own" },
  { value: "admin", label: "Administrator: manages users and reads the audit trail too" },
];
