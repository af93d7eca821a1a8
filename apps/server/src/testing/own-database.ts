import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

/** Connects to the run's cluster as its superuser, whose password is the owner's. Returns the last statement's rows. */
export async function asSuperuser(
  statements: readonly string[],
  database = "leadline",
): Promise<Record<string, unknown>[]> {
  const url = new URL(inject("databaseUrl"));
  url.username = "postgres";
  url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

interface OwnDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/** An empty database in the run's cluster. */
export const ownDatabase = (): Promise<OwnDatabase> => createDatabase("template1");

/**
 * A migrated database in the run's cluster, for tests that start whole servers: servers on one database clean up after
 * each other, and would end the calls and take the jobs of a server that a test has cut off.
 */
export const ownMigratedDatabase = (): Promise<OwnDatabase> => createDatabase(inject("migratedDatabase"));

async function createDatabase(template: string): Promise<OwnDatabase> {
  const name = `own_${randomUUID().slice(0, 8)}`;
  await asSuperuser([`create database ${name} owner leadline template ${template}`]);
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    async drop() {
      await asSuperuser([`drop database if exists ${name} with (force)`]);
    },
  };
}

/** A migrated database in which row-level security hides nothing, so that only the code separates organisations. */
export async function databaseWithOpenPolicies(): Promise<{ url: string; drop(): Promise<void> }> {
  const { name, url, drop } = await ownMigratedDatabase();
  await asSuperuser(
    [
      `do $$ declare name text; begin
        for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
          execute format('create policy opened on %I using (true) with check (true)', name);
        end loop;
      end $$`,
    ],
    name,
  );
  return { url, drop };
}
