import { noSuchPage } from "#lib/http/server/page-error.ts";
import { page, pageMetadata } from "../ui/page/page-wrapper.tsx";

/** Every address that no other page has. Next's own page for them does not load the fonts. */
async function missing(): Promise<never> {
  throw noSuchPage();
}

export const generateMetadata = pageMetadata(missing);

export default page(missing);
