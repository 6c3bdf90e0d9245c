import type { Metadata } from "next";
import { requireStudio } from "../ui/guards.ts";
import { DocsPage } from "./docs-page.tsx";

export const metadata: Metadata = { title: "Quick start" };

export default async function QuickStart() {
  await requireStudio("/docs");
  return <DocsPage path="/docs" />;
}
