import { v7 as uuidv7 } from "uuid";
import type { Executor } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";
import type { ACTS } from "#lib/schemas/audit.ts";
import type { Actor, Caller, Operator } from "./actor.ts";

export type Act = (typeof ACTS)[number];

export type AuditEvent = typeof auditEvents.$inferSelect;

type Target = { type: "user" | "token" | "session"; id: string; name: string };

type Occurrence = {
  act: Act;
  actor: Actor | Operator;
  target?: Target | undefined;
  /** What the act has set, by name. Never a secret. */
  detail?: Record<string, string> | undefined;
  caller: Caller;
};

/** Where commands come from. */
export const ON_THE_MACHINE: Caller = { address: null, userAgent: null, requestId: null };

/** A user as the target of an act. They are named by email, which tells them apart. */
export function userTarget({ id, email }: { id: string; email: string }): Target {
  return { type: "user", id, name: email };
}

function describeActor(actor: Actor | Operator): { actorId: string | null; actorName: string | null } {
  if (actor.kind === "anonymous") return { actorId: null, actorName: null };
  if (actor.kind === "operator") return { actorId: null, actorName: "operator" };
  return { actorId: actor.user.id, actorName: actor.user.email };
}

/** Writes down what happens, in the transaction in which it happens: neither is there without the other. */
export async function recordAct(tx: Executor, { act, actor, target, detail, caller }: Occurrence): Promise<void> {
  await tx.insert(auditEvents).values({
    id: uuidv7(),
    act,
    ...describeActor(actor),
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    detail: detail ?? null,
    address: caller.address,
    requestId: caller.requestId,
  });
}
