import { renderImage } from "../generated/hey";
import { client } from "../generated/hey/client.gen";

/** Makes the README's call with a client of hey-api. */
async function main(): Promise<void> {
  client.setConfig({ baseUrl: process.argv[2] ?? "" });
  const { data, response } = await renderImage({
    body: { template: "social/quote", data: { quote: "Less is more.", author: "Ludwig Mies van der Rohe" } },
  });
  console.log(response?.status, data?.size);
  const { error } = await renderImage({
    // @ts-expect-error: the template has no such field.
    body: { template: "social/quote", data: { quot: "Less is more." } },
  });
  console.log(error?.error.code);
}

void main();
