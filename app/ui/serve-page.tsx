import type { Metadata } from "next";
import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { setPageError } from "#lib/http/server/page-error.ts";
import { NotShown } from "./not-shown.tsx";

/**
 * A page, or a part of one that reads: where it cannot be shown it says so, with the status of the reason. What it throws would
 * end as a 500 without a word otherwise, and as a stack between the lines of the log.
 */
export function page<Props = object>(make: (props: Props) => Promise<ReactNode>): (props: Props) => Promise<ReactNode> {
  return async (props) => {
    try {
      return await make(props);
    } catch (error) {
      unstable_rethrow(error);
      return <NotShown {...setPageError(error)} />;
    }
  };
}

/** What a page that is not everybody's says of itself, asked with its guard. */
export function pageMetadata<Props = object>(
  make: (props: Props) => Promise<Metadata>,
): (props: Props) => Promise<Metadata> {
  return async (props) => {
    try {
      return await make(props);
    } catch (error) {
      unstable_rethrow(error);
      setPageError(error);
      return { title: "Not shown" };
    }
  };
}
