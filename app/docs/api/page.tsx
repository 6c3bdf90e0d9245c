import type { Metadata } from "next";
import { requireStudio } from "../../ui/guards.ts";
import { DocsPage } from "../docs-page.tsx";

export const metadata: Metadata = { title: "API reference" };

export default async function ApiReference() {
  await requireStudio("/docs/api");
  return <DocsPage path="/docs/api" />;
}
