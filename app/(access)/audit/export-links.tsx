import { buttonLook } from "../../ui/form/button.tsx";
import { exportHref, type Filter } from "./filter.ts";

/** Links that download every entry of the filter. They are no `Link`, which would fetch the file as a page. */
export function ExportLinks({ filter }: { filter: Filter }) {
  const className = buttonLook({ tone: "secondary", size: "medium" });
  return (
    <>
      <a href={exportHref("csv", filter)} className={className}>
        Export CSV
      </a>
      <a href={exportHref("jsonl", filter)} className={className}>
        Export JSON lines
      </a>
    </>
  );
}
