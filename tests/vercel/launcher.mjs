// Serves a function from its folder, as the launcher does that Vercel adds to each: it loads the route that the platform has found,
// and calls the handler that Next has built for it. Without Next's server.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

process.chdir(import.meta.dirname);

const require = createRequire(import.meta.url);
require("next/dist/build/adapter/setup-node-env.external");

/** The built file of each route, such as `/api/docs/[[...page]]/route`. */
const files = JSON.parse(readFileSync(".next/app-path-routes-manifest.json", "utf8"));
const fileOf = Object.fromEntries(Object.entries(files).map(([file, route]) => [route, file]));

async function serve(request, response) {
  const { handler } = await require(`./.next/server/app${fileOf[request.headers["x-matched-path"]]}.js`);
  const requestMeta = { minimalMode: true, relativeProjectDir: ".", initURL: request.url };
  await handler(request, response, { waitUntil: () => undefined, requestMeta });
}

const server = createServer((request, response) => {
  serve(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(0, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
