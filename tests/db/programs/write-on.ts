import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { databaseConfig } from "#lib/config.ts";
import { query } from "#lib/db/database.ts";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";

/** A server that writes rows until it is killed, and prints the number of each acknowledged row. */
const server = await serveEmbedded({ dir: databaseConfig().dir, onProgress: () => undefined });
await server.ready;
for (let number = Number(process.argv[2]); ; number++) {
  const padding = createHash("sha256").update(String(number)).digest("hex").repeat(8);
  await query((db) => db.execute(sql`insert into throttle (key, empty_at) values (${`${number} ${padding}`}, now())`));
  process.stdout.write(`${number}\n`);
}
