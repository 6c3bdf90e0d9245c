import type { Metadata } from "next";
import { requireStudio } from "../../ui/guards.ts";
import { DocsPage } from "../docs-page.tsx";

export const metadata: Metadata = { title: "Schemas" };

export default async function Schemas() {
  await requireStudio("/docs/schemas");
  return <DocsPage path="/docs/schemas" />;
}
