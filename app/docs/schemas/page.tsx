import { requireStudio } from "../../ui/guards.ts";
import { DocsPage, docsMetadata } from "../docs-page.tsx";

export const generateMetadata = () => docsMetadata("/docs/schemas");

export default async function Schemas() {
  await requireStudio("/docs/schemas");
  return <DocsPage path="/docs/schemas" />;
}
