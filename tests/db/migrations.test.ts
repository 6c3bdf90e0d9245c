import { expect, it } from "vitest";
import { readMigrations } from "#lib/db/migrations.ts";

const matches = (statements: string[], pattern: RegExp) =>
  statements.flatMap((statement) => [...statement.matchAll(pattern)].map(([, name]) => name));

it("migrations build the indexes of tables that may be large concurrently, in files of their own", () => {
  const migrations = readMigrations();
  expect(migrations.filter(({ indexes }) => indexes).length).toBeGreaterThan(0);
  for (const { statements, indexes } of migrations) {
    const concurrent = matches(statements, /INDEX CONCURRENTLY "(\w+)"/gi);
    expect(concurrent).toEqual(indexes?.map(({ name }) => name) ?? []);
    const created = matches(statements, /CREATE TABLE "(\w+)"/gi);
    const indexed = matches(statements, /CREATE (?:UNIQUE )?INDEX "\w+" ON "(\w+)"/gi);
    expect(indexed.filter((table) => !created.includes(table))).toEqual([]);
  }
});
