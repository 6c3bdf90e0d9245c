import { afterAll, beforeAll, it } from "vitest";
import { type Postgres, startPostgres } from "#tests/postgres/programs.ts";
import { expectOthersServed } from "./login-flood.ts";

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await postgres?.remove();
});

it("250 connections with logins fail no request of others, on PostgreSQL", async () => {
  await expectOthersServed({ DATABASE_URL: await postgres.createDatabase("flooded") });
});
