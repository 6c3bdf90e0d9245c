import { docsMetadata, docsPage } from "../docs-page.tsx";

export const generateMetadata = docsMetadata("/docs/errors");

export default docsPage("/docs/errors");
