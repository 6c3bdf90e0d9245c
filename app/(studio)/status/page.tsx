import { rendersHere } from "#lib/render/bundled-chromium.ts";
import { StatusReport } from "#lib/schemas/status-report.ts";
import { GET as getStatus } from "../../api/service/status/route.ts";
import { requireOperator } from "../../ui/page/guards.ts";
import { page, pageMetadata } from "../../ui/page/page-wrapper.tsx";
import { read } from "../../ui/page/read.ts";
import { FetchedStatus } from "./fetched-status.tsx";
import { ScriptSheet } from "./script-sheet.tsx";
import { StatusBoard } from "./status-board.tsx";

export const generateMetadata = pageMetadata(async () => {
  await requireOperator("/status");
  return { title: "Status" };
});

async function Status() {
  await requireOperator("/status");
  if (!rendersHere()) return <FetchedStatus />;
  const { scripts, ...report } = await read(getStatus, { returns: StatusReport });
  return (
    <>
      <StatusBoard initial={report} />
      <ScriptSheet scripts={scripts} />
    </>
  );
}

export default page(Status);
