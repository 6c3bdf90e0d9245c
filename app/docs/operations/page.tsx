import { requireStudio } from "../../ui/guards.ts";
import { DocsPage, docsMetadata } from "../docs-page.tsx";

export const generateMetadata = () => docsMetadata("/docs/operations");

export default async function Operations() {
  await requireStudio("/docs/operations");
  return <DocsPage path="/docs/operations" />;
}
