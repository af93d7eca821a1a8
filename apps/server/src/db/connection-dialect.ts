import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Statement } from "./bursts.ts";
import type { Schema } from "./schema.ts";
import { createStatementNames } from "./statement-names.ts";

const nameOf = createStatementNames();

const refuse = async () => {
  throw new Error("withTransaction has already begun the transaction");
};

/** Runs statements: a connection, or a wrapper around one. */
interface Runner {
  query(statement: Statement): Promise<{ rows: unknown[]; rowCount?: number | null }>;
}

/**
 * Typed queries on a connection that the caller has taken from the pool, in a transaction that the caller has begun.
 */
export function queriesOn(client: Runner): Kysely<Schema> {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { sql: text, parameters: values } = query;
      const { rows, rowCount } = await client.query({ name: nameOf(text), text, values });
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery: () => {
      throw new Error("rows are not streamed here");
    },
  };
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => ({
      init: async () => {},
      destroy: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
    }),
  };
  return new Kysely<Schema>({ dialect });
}
