import { docsMetadata, docsPage } from "../docs-page.tsx";

export const generateMetadata = docsMetadata("/docs/templates");

export default docsPage("/docs/templates");
