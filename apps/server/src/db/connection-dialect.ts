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

/** More texts than the code contains: each has a plan on every connection. */
const maxNames = 300;
/** Of texts that differ only in the length of a list, which a request can choose: the rest aren't worth a plan. */
const maxLengths = 8;
const names = new Map<string, string>();
const lengths = new Map<string, number>();

/** The text with each list of parameters, or of rows of them, as one parameter. */
const withoutLengths = (text: string): string => text.replaceAll(/\$\d+(?:(?:::\w+)?[(), ]+\$\d+)+/g, "$$");

/** With a name, Postgres keeps the parsed and planned statement for the connection's life. */
function nameOf(text: string): string {
  const named = names.get(text);
  if (named !== undefined) return named;
  if (names.size >= maxNames) return "";
  const shape = withoutLengths(text);
  const known = lengths.get(shape) ?? 0;
  if (known >= maxLengths) return "";
  lengths.set(shape, known + 1);
  // Postgres keeps 63 bytes of a name; the start of the text identifies the statement in pg_prepared_statements.
  const name = `${names.size} ${text.slice(0, 56)}`;
  names.set(text, name);
  return name;
}

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
