import { nothingHere } from "#lib/http/absent.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nothingHere;
