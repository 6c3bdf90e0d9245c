import { Badge } from "../../ui/badge.tsx";
import type { Viewer } from "../../ui/viewer.ts";

/** What a user may do. */
export function RoleBadge({ role }: Pick<Viewer, "role">) {
  return role === "admin" ? <Badge tone="info">Administrator</Badge> : <Badge>User</Badge>;
}

/** Whether a user can do it at present. */
export function StatusBadge({ status }: Pick<Viewer, "status">) {
  return status === "active" ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Deactivated</Badge>;
}
