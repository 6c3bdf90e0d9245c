import { docsMetadata, docsPage } from "../docs-page.tsx";

export const generateMetadata = docsMetadata("/docs/api");

export default docsPage("/docs/api");
