import { docsMetadata, docsPage } from "./docs-page.tsx";

export const generateMetadata = docsMetadata("/docs");

export default docsPage("/docs");
