import type { Metadata } from "next";
import { requireStudio } from "../../ui/guards.ts";
import { DocsPage } from "../docs-page.tsx";

export const metadata: Metadata = { title: "Writing a template" };

export default async function Templates() {
  await requireStudio("/docs/templates");
  return <DocsPage path="/docs/templates" />;
}
