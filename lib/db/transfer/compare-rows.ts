import type { Connection } from "../connection.ts";
import type { Part, Total } from "./parts.ts";
import { totalOf } from "./read-tables.ts";
import { listTables, type Table } from "./tables.ts";

/** A table whose rows are not those of the parts. `rows` is undefined when the table or one of its columns is missing. */
export type Difference = { table: string; wanted: number; rows: number | undefined };

/** The columns that the parts have, in their order. Undefined where one is missing. */
function columnsOf(table: Table | undefined, names: string[]): Table | undefined {
  const columns = names.flatMap((name) => table?.columns.find((column) => column.name === name) ?? []);
  return table && columns.length === names.length ? { ...table, columns } : undefined;
}

async function readContents(parts: AsyncIterable<Part>) {
  const columns = new Map<string, string[]>();
  let totals: Record<string, Total> = {};
  for await (const part of parts)
    if ("table" in part) columns.set(part.table, part.columns);
    else if ("totals" in part) totals = part.totals;
  return { columns, totals };
}

/** The tables of `parts` whose rows the database does not have exactly. Columns that only the database has do not count. */
export async function compareRows(connection: Connection, parts: AsyncIterable<Part>): Promise<Difference[]> {
  const { columns, totals } = await readContents(parts);
  return await connection.transact(async () => {
    await connection.allowLongStatements("local");
    const tables = await listTables(connection);
    const differences: Difference[] = [];
    for (const [name, wanted] of Object.entries(totals)) {
      const table = columnsOf(
        tables.find((candidate) => candidate.name === name),
        columns.get(name) ?? [],
      );
      const got = table && (await totalOf(connection, table));
      if (got?.hash !== wanted.hash) differences.push({ table: name, wanted: wanted.rows, rows: got?.rows });
    }
    return differences;
  });
}
