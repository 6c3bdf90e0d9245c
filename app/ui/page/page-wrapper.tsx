import type { Metadata } from "next";
import { notFound, unstable_rethrow } from "next/navigation";
import type { ComponentType, ReactNode } from "react";
import { AppError } from "#lib/errors.ts";
import { setPageError, setPageNotFound } from "#lib/http/server/page-error.ts";
import NotFound from "../../not-found.tsx";
import { ErrorPage } from "./error-page.tsx";

/**
 * Whether an error makes the page a 404 that this service renders. Next would send an empty page, which scripts fill: without
 * fonts and style sheets at first, and for good where scripts are off. Where Next has to answer, this calls `notFound`.
 */
function becomesNotFound(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== "not_found") return false;
  return setPageNotFound() || notFound();
}

/**
 * Wraps a page, or a part of one that reads data. When it throws, the response is an error page with the status of the
 * error, and the log gets one line. Without the wrapper, Next would answer a bare 500 and print a stack.
 * @param Missing replaces a page that is not there
 */
export function page<Props = object>(
  make: (props: Props) => Promise<ReactNode>,
  Missing: ComponentType = NotFound,
): (props: Props) => Promise<ReactNode> {
  return async (props) => {
    try {
      return await make(props);
    } catch (error) {
      unstable_rethrow(error);
      if (becomesNotFound(error)) return <Missing />;
      const { error: shown, requestId } = setPageError(error);
      const { status, code, message } = shown;
      return <ErrorPage {...{ status, code, message, requestId }} />;
    }
  };
}

/** Wraps the `generateMetadata` of a page that has a guard. */
export function pageMetadata<Props = object>(
  make: (props: Props) => Promise<Metadata>,
): (props: Props) => Promise<Metadata> {
  return async (props) => {
    try {
      return await make(props);
    } catch (error) {
      unstable_rethrow(error);
      if (becomesNotFound(error)) return { title: "Page not found" };
      setPageError(error);
      return { title: "Not available" };
    }
  };
}
