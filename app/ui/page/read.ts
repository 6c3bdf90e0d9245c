import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { z } from "zod";
import { AppError } from "#lib/errors.ts";
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
  try {
    return await callWithHeaders(get, { ...options, headers: await headers() });
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
}

/**
 * Calls a GET route in process, with the headers of the page request. A 404 of the route becomes a 404 of the page.
 * @throws AppError with any other error code of the route
 */
export async function read<S extends z.ZodType>(get: Handler, options: ReadOptions<S>): Promise<z.output<S>> {
  return (await readWithHeaders(get, options)).value;
}
