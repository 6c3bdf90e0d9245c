import createClient from "openapi-fetch";
import type { paths } from "../generated/paths";

/** Makes the README's call with a client of openapi-typescript and openapi-fetch. */
async function main(): Promise<void> {
  const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
  const { response } = await client.POST("/api/service/images/render", {
    body: { template: "social/quote", data: { quote: "Less is more.", author: "Ludwig Mies van der Rohe" } },
    parseAs: "stream",
  });
  console.log(response.status, (await response.arrayBuffer()).byteLength);
  const { error } = await client.POST("/api/service/images/render", {
    // @ts-expect-error: the template has no such field.
    body: { template: "social/quote", data: { quot: "Less is more." } },
    parseAs: "json",
  });
  console.log(error?.error.code);
}

void main();
