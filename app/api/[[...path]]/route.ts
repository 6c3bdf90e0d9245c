import { nothingHere } from "#lib/http/route/methods.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nothingHere;
