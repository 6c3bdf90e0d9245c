import { requireStudio } from "../ui/guards.ts";
import { DocsPage, docsMetadata } from "./docs-page.tsx";

export const generateMetadata = () => docsMetadata("/docs");

export default async function QuickStart() {
  await requireStudio("/docs");
  return <DocsPage path="/docs" />;
}
