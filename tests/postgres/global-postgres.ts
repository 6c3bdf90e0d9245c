import { startPostgres } from "#tests/postgres/programs.ts";

/** One PostgreSQL for the tests that run in process, told to them as it is told to the service. */
export default async function setUp(): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  process.env.DATABASE_URL = await postgres.createDatabase("tests");
  return () => postgres.remove();
}
