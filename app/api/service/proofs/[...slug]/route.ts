import { methods } from "#lib/http/route/methods.ts";
import { getProof, startProof } from "#lib/operations/proofs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getProof, startProof);
