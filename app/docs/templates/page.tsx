import { requireStudio } from "../../ui/guards.ts";
import { DocsPage, docsMetadata } from "../docs-page.tsx";

export const generateMetadata = () => docsMetadata("/docs/templates");

export default async function Templates() {
  await requireStudio("/docs/templates");
  return <DocsPage path="/docs/templates" />;
}
