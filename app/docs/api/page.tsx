import { requireStudio } from "../../ui/guards.ts";
import { DocsPage, docsMetadata } from "../docs-page.tsx";

export const generateMetadata = () => docsMetadata("/docs/api");

export default async function ApiReference() {
  await requireStudio("/docs/api");
  return <DocsPage path="/docs/api" />;
}
