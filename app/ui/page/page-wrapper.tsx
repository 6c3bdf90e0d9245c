import type { Metadata } from "next";
import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { refusePage } from "#lib/http/server/refuse-page.ts";
import { ErrorPage } from "./error-page.tsx";

/**
 * Wraps a page, or a part of one that reads data. When it throws, the reader gets an error page with the status of the
 * error, and the log one line. Without it Next would answer a bare 500 and print a stack.
 */
export function page<Props = object>(make: (props: Props) => Promise<ReactNode>): (props: Props) => Promise<ReactNode> {
  return async (props) => {
    try {
      return await make(props);
    } catch (error) {
      unstable_rethrow(error);
      const { error: refusal, requestId } = refusePage(error);
      const { status, code, message } = refusal;
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
      refusePage(error);
      return { title: "Not available" };
    }
  };
}
