import { createHash } from "node:crypto";
import { z } from "zod";

/** The values of a row as PostgreSQL writes them. They mean the same in every version and in every database. */
const row = z.array(z.string().nullable());

/** A table or a column. A backup may come from elsewhere, and its names become part of statements and of messages. */
const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

/** How many rows a table has, and a hash of them that does not depend on their order. */
const total = z.strictObject({ rows: z.int().nonnegative(), hash: z.string().regex(/^[0-9a-f]{64}$/) });

/** What a backup begins with. `migrations` are the times that identify the migrations of its tables. */
const head = z.strictObject({
  format: z.literal("platen-database"),
  version: z.literal(1),
  platen: z.string().regex(/^[\w.+-]{1,60}$/),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.int()).min(1),
});

/** One line of a backup: its head, then each table with its rows, and the totals at the end. */
export const partSchema = z.union([
  z.strictObject({ rows: z.array(row) }),
  z.strictObject({ table: name, columns: z.array(name).min(1) }),
  z.strictObject({ totals: z.record(name, total) }),
  head,
]);

export type Row = z.infer<typeof row>;
export type Total = z.infer<typeof total>;
export type Part = z.infer<typeof partSchema>;

const MODULUS = 2n ** 256n;

/** Counts and hashes the rows of one table. */
export class Tally {
  #rows = 0;
  #sum = 0n;

  add(rows: Row[]): void {
    this.#rows += rows.length;
    for (const row of rows) this.#sum += BigInt(`0x${createHash("sha256").update(JSON.stringify(row)).digest("hex")}`);
    this.#sum %= MODULUS;
  }

  total(): Total {
    return { rows: this.#rows, hash: this.#sum.toString(16).padStart(64, "0") };
  }
}
