import { StatusReport } from "#lib/schemas/status-report.ts";
import { GET as getStatus } from "../../api/service/status/route.ts";
import { requireOperator } from "../../ui/guards.ts";
import { read } from "../../ui/read.ts";
import { page, pageMetadata } from "../../ui/serve-page.tsx";
import { ScriptSheet } from "./script-sheet.tsx";
import { StatusBoard } from "./status-board.tsx";

/** Guarded as the page is: the title of a page that is nobody's would be told to everyone. */
export const generateMetadata = pageMetadata(async () => {
  await requireOperator("/status");
  return { title: "Status" };
});

/** How the service does: everything that it stands on, what is wrong with it, and what to do about that. */
async function Status() {
  await requireOperator("/status");
  const { scripts, ...report } = await read(getStatus, { returns: StatusReport });
  return (
    <>
      <StatusBoard initial={report} />
      <ScriptSheet scripts={scripts} />
    </>
  );
}

export default page(Status);
