import type { PGlite } from "@electric-sql/pglite";
import { CHANGED_ROWS, OLD_TRANSACTIONS } from "./embedded-limits.ts";
import type { SessionQueue, SessionUser } from "./session-queue.ts";
import { LOG_FILE_BYTES } from "./unusable-data.ts";

/*
 * PGlite has none of PostgreSQL's background processes. Without their work, tables would grow with each change, and after two billion
 * writing transactions PostgreSQL would refuse every further one, to keep its numbers of transactions from meaning two things.
 * https://www.postgresql.org/docs/current/routine-vacuuming.html#VACUUM-FOR-WRAPAROUND
 */

/** Tables of the system count too: each `analyze` changes rows there. */
const FIND_TABLES = `
  select format('%I.%I', nspname, pg_class.relname) as name, nspname <> 'pg_catalog' as "isOwn",
    greatest(age(pg_class.relfrozenxid), age(toast.relfrozenxid)) > $1 as "isOld",
    n_dead_tup > $2 or n_mod_since_analyze > $2 as "isChanged"
  from pg_class join pg_namespace on pg_namespace.oid = pg_class.relnamespace
    left join pg_class as toast on toast.oid = pg_class.reltoastrelid
    left join pg_stat_all_tables on pg_stat_all_tables.relid = pg_class.oid
  where pg_class.relkind = 'r' and pg_class.relpersistence = 'p'`;

type Found = { name: string; isOwn: boolean; isOld: boolean; isChanged: boolean | null };

function statementsFor({ name, isOwn, isOld, isChanged }: Found): string[] {
  if (!isOld && !isChanged) return [];
  return [...(isOwn && isChanged ? [`analyze ${name}`] : []), isOld ? `vacuum (freeze) ${name}` : `vacuum ${name}`];
}

const FIND_OTHER_DATABASES = `
  select format('%I', datname) as name from pg_database
  where datname <> current_database() and age(datfrozenxid) > $1`;

/** Nothing uses the databases that PostgreSQL creates as templates, and their rows count as those of the others do. */
const drop = (name: string) => [`alter database ${name} is_template false`, `drop database ${name}`];

/**
 * The statements that bring the database in order, in the order in which they run. To mark a million rows as old takes three seconds.
 * @param oldTransactions how many transactions ago the oldest row of a table may have been written, unless it is marked as old
 */
export async function maintenanceStatements(database: PGlite, oldTransactions = OLD_TRANSACTIONS): Promise<string[]> {
  const tables = await database.query<Found>(FIND_TABLES, [oldTransactions, CHANGED_ROWS]);
  const others = await database.query<{ name: string }>(FIND_OTHER_DATABASES, [oldTransactions]);
  // In this order: PostgreSQL looks for the oldest row of all databases at the end of a vacuum.
  return [...others.rows.flatMap(({ name }) => drop(name)), ...tables.rows.flatMap(statementsFor), "checkpoint"];
}

/** A table of which nothing is known yet has -1 rows. */
const FIND_GROWN_TABLES = `
  select format('%I.%I', schemaname, pg_stat_user_tables.relname) as name
  from pg_stat_user_tables join pg_class on pg_class.oid = relid
  where n_mod_since_analyze > $1 and n_live_tup > 2 * greatest(reltuples, 0)`;

/**
 * The statements that renew the statistics of tables with twice as many rows as PostgreSQL knows of. Until then it keeps its plans, and a
 * plan that was made for twenty rows reads the whole table: after 50,000 tries at passwords, a login took 0.3 s.
 */
export async function growthStatements(database: PGlite): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(FIND_GROWN_TABLES, [CHANGED_ROWS]);
  return rows.map(({ name }) => `analyze ${name}`);
}

/** Whether PostgreSQL has refused a statement and goes on. More severe errors end it. */
const isRefusal = (error: unknown) => error instanceof Error && "severity" in error && error.severity === "ERROR";

/** A checkpoint needs little room, and makes some, because it removes old files of the log. */
const CHECKPOINT_BYTES = 1024 * 1024;

const roomFor = (statement: string) => (statement === "checkpoint" ? CHECKPOINT_BYTES : LOG_FILE_BYTES);

export type Maintained = {
  database: PGlite;
  /** Finds the statements to run. */
  find: (database: PGlite) => Promise<string[]>;
  queue: SessionQueue;
  /** How much room the disk of the database has, in bytes. */
  room: () => number;
  /** Called for each statement that is left out for lack of room, or that PostgreSQL refuses. The further ones run. */
  onRefusal: (error: Error) => void;
};

/**
 * Brings the database in order, a statement at a time, so that queries wait little. None of them ends the thread on a full disk, where the
 * next one could not begin: until there is room again, the database answers everything that only reads.
 */
export function maintain({ database, find, queue, room, onRefusal }: Maintained): void {
  let statements: string[] = [];
  const maintenance: SessionUser = {
    hasWork: () => statements.length > 0,
    work: async () => {
      const statement = statements.shift() ?? "";
      // With less room, PostgreSQL may end instead of refusing the statement.
      if (room() < roomFor(statement)) onRefusal(new Error("Its disk is full. Make room."));
      else
        await database.exec(statement).catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
          onRefusal(error as Error);
        });
      return false;
    },
  };
  queue.add({
    hasWork: () => false,
    work: async () => {
      statements = await find(database);
      queue.add(maintenance);
      return false;
    },
  });
}
