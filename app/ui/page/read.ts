import { headers } from "next/headers";
import type { z } from "zod";
import { callWithHeaders } from "#lib/http/route/call.ts";
import type { Handler } from "#lib/http/route/route.ts";

type ReadOptions<S extends z.ZodType> = {
  returns: S;
  /** The dynamic segments of the route's path, decoded. */
  params?: Record<string, string | string[]>;
  /** The query string; undefined values are left out. */
  query?: Record<string, string | undefined>;
};

/** Like {@link read}, with the response headers. */
export async function readWithHeaders<S extends z.ZodType>(
  get: Handler,
  options: ReadOptions<S>,
): Promise<{ value: z.output<S>; headers: Headers }> {
  return await callWithHeaders(get, { ...options, headers: await headers() });
}

/**
 * Calls a GET route in process, with the headers of the page request.
 * @throws AppError of the route; `not_found` makes the page a 404
 */
export async function read<S extends z.ZodType>(get: Handler, options: ReadOptions<S>): Promise<z.output<S>> {
  return (await readWithHeaders(get, options)).value;
}
