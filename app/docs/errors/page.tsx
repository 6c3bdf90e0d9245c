import { requireStudio } from "../../ui/guards.ts";
import { DocsPage, docsMetadata } from "../docs-page.tsx";

export const generateMetadata = () => docsMetadata("/docs/errors");

export default async function Errors() {
  await requireStudio("/docs/errors");
  return <DocsPage path="/docs/errors" />;
}
