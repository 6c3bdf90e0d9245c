import { inspector } from "#lib/http/identity/auth.ts";
import { fairCaller } from "#lib/http/identity/caller.ts";
import { operation } from "#lib/http/route/operation.ts";
import * as proofs from "#lib/proof/proof-runs.ts";
import { ProofReport } from "#lib/schemas/proof.ts";
import { PATHS } from "./paths.ts";
import { TEMPLATES } from "./tags.ts";

export const getProof = operation({
  method: "GET",
  path: PATHS.proof,
  operationId: "getProof",
  summary: "Get the proof of a template: the faults in its pictures with difficult contents",
  tag: TEMPLATES,
  auth: inspector,
  returns: ProofReport,
  success: "The run under way, and the result of the last one.",
  errors: ["unknown_template"],
  handle: ({ params }) => proofs.readProof(params.slug),
});

export const startProof = operation({
  method: "POST",
  path: PATHS.proof,
  operationId: "startProof",
  summary: "Start a proof of a template, which renders a few hundred pictures one after the other",
  tag: TEMPLATES,
  auth: inspector,
  returns: ProofReport,
  status: 202,
  success: "The proof has started, or was under way.",
  errors: ["unknown_template"],
  handle: ({ actor, caller, params }) => proofs.startProof(params.slug, fairCaller(actor, caller())),
});
