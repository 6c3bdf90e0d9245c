import { methods } from "#lib/http/route/methods.ts";
import { getRobots } from "#lib/operations/robots.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getRobots);
