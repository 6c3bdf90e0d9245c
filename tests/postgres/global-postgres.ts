import { startPostgres } from "#tests/postgres/programs.ts";

/** Starts one PostgreSQL for the tests that run in process, and names it in `DATABASE_URL`. */
export default async function setUp(): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  process.env.DATABASE_URL = await postgres.createDatabase("tests");
  return () => postgres.remove();
}
