import type { Metadata } from "next";
import { requireStudio } from "../../ui/guards.ts";
import { DocsPage } from "../docs-page.tsx";

export const metadata: Metadata = { title: "Errors and warnings" };

export default async function Errors() {
  await requireStudio("/docs/errors");
  return <DocsPage path="/docs/errors" />;
}
