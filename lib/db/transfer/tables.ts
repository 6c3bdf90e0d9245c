import type { Connection } from "../connection.ts";

type Column = { name: string; type: string };

/** A table of Platen, without what Drizzle keeps about migrations. */
export type Table = { name: string; columns: Column[] };

const FIND_COLUMNS = `
  select relname as table, attname as column, format_type(atttypid, atttypmod) as type
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
  order by relname, attnum`;

const FIND_REFERENCES = `
  select child.relname as child, parent.relname as parent
  from pg_constraint join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
  where contype = 'f' and child.relnamespace = current_schema()::regnamespace and conrelid <> confrelid`;

/** Puts each table behind those that it refers to, so that rows can be inserted in this order. */
function inOrderOfReferences(tables: Table[], references: { child: string; parent: string }[]): Table[] {
  const left = new Set(tables);
  const ordered: Table[] = [];
  while (left.size > 0) {
    const names = new Set([...left].map(({ name }) => name));
    const waits = (table: Table) => references.some(({ child, parent }) => child === table.name && names.has(parent));
    const next = [...left].filter((table) => !waits(table));
    if (next.length === 0) throw new Error(`The tables ${[...names].join(", ")} refer to each other in a circle.`);
    for (const table of next) left.delete(table);
    ordered.push(...next);
  }
  return ordered;
}

/** The tables of the current schema, each behind those that it refers to. */
export async function listTables(connection: Connection): Promise<Table[]> {
  const rows = await connection.run(FIND_COLUMNS);
  const tables = Map.groupBy(rows, ({ table }) => String(table));
  const references = await connection.run(FIND_REFERENCES);
  return inOrderOfReferences(
    [...tables].map(([name, columns]) => ({
      name,
      columns: columns.map(({ column, type }) => ({ name: String(column), type: String(type) })),
    })),
    references.map(({ child, parent }) => ({ child: String(child), parent: String(parent) })),
  );
}
