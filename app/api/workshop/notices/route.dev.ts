import { methods } from "#lib/http/route/methods.ts";
import { getNoticeCounts } from "../../../workshop/operations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getNoticeCounts);
