import { docsMetadata, docsPage } from "../docs-page.tsx";

export const generateMetadata = docsMetadata("/docs/schemas");

export default docsPage("/docs/schemas");
