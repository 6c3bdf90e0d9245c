import type { Metadata } from "next";
import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { setPageError } from "#lib/http/server/page-error.ts";
import { ErrorPage } from "./error-page.tsx";

/**
 * Wraps a page, or a part of one that reads data. When it throws, the response is an error page with the status of the
 * error, and the log gets one line. Without the wrapper, Next would answer a bare 500 and print a stack.
 */
export function page<Props = object>(make: (props: Props) => Promise<ReactNode>): (props: Props) => Promise<ReactNode> {
  return async (props) => {
    try {
      return await make(props);
    } catch (error) {
      unstable_rethrow(error);
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
      setPageError(error);
      return { title: "Not available" };
    }
  };
}
