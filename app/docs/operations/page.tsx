import { docsMetadata, docsPage } from "../docs-page.tsx";

export const generateMetadata = docsMetadata("/docs/operations");

export default docsPage("/docs/operations");
