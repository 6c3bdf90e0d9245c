import type { Metadata } from "next";
import { requireStudio } from "../../ui/guards.ts";
import { DocsPage } from "../docs-page.tsx";

export const metadata: Metadata = { title: "Running Platen" };

export default async function Operations() {
  await requireStudio("/docs/operations");
  return <DocsPage path="/docs/operations" />;
}
