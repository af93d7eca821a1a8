import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type QueryResultRow } from "pg";
import type { Log } from "../log.ts";
import { appRole } from "./app-role.ts";
import { queriesAtOnce, queriesOn } from "./connection-dialect.ts";
import { DatabaseUnreachable, isConnectionError } from "./database-unreachable.ts";
import { pgTypes } from "./pg-types.ts";
import { beginIn, type Tx, type WithTransaction } from "./transaction.ts";

export interface Database {
  withTransaction: WithTransaction;
  /** As withTransaction, for what only reads: a write is refused, and the result does not wait for COMMIT, which has nothing to keep. */
  readInTransaction: WithTransaction;
  /**
   * As withTransaction, in one round trip and one write: what `read` asks for before it awaits an answer travels between
   * BEGIN and COMMIT. What it asks for later is refused.
   */
  readAtOnce: WithTransaction;
  /** One prepared statement in a transaction of its own and no scope: for functions that authenticate. */
  callFunction<Row extends QueryResultRow>(name: string, sql: string, values: unknown[]): Promise<Row[]>;
  /** A connection of its own, outside the pool, for LISTEN. Not yet connected. */
  newListener(): Client;
  close(): Promise<void>;
}

export function openDatabase(url: string, log: Log, options: { maxConnections?: number } = {}): Database {
  const connection: ClientConfig = {
    connectionString: url,
    options: `-c role=${appRole} -c timezone=UTC -c datestyle=ISO -c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000`,
    types: pgTypes,
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    application_name: "leadline",
  };
  const pool = new Pool({ ...connection, max: options.maxConnections ?? 20, idleTimeoutMillis: 60_000 });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  const queries = new WeakMap<ClientBase, Tx>();

  const take = async (): Promise<PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw new DatabaseUnreachable({ cause: error });
    }
  };

  const queriesOf = (client: PoolClient): Tx => {
    const tx = queries.get(client) ?? queriesOn(client);
    queries.set(client, tx);
    return tx;
  };

  const withTransaction: WithTransaction = async (scope, work) => {
    const client = await take();
    let broken: Error | undefined;
    const noteBreak = (error: Error) => (broken = error);
    client.on("error", noteBreak);
    try {
      // The first statement follows BEGIN without waiting for its answer.
      const begun = client.query(beginIn(scope));
      begun.catch(() => {});
      const result = await work(queriesOf(client));
      await begun;
      const { command } = await client.query("commit");
      // A statement failed and its error was swallowed: Postgres then turns the commit into a rollback without an error.
      if (command !== "COMMIT") throw new Error("the transaction had failed and was rolled back");
      return result;
    } catch (error) {
      if (isConnectionError(error)) {
        broken = new DatabaseUnreachable({ cause: error });
        throw broken;
      }
      await client.query("rollback").catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.off("error", noteBreak);
      client.release(broken);
    }
  };

  const readInTransaction: WithTransaction = async (scope, read) => {
    const client = await take();
    let broken: Error | undefined;
    const noteBreak = (error: Error) => (broken = error);
    client.on("error", noteBreak);
    const end = async (how: "commit" | "rollback") => {
      await client.query(how).catch((failure: Error) => (broken = failure));
      client.off("error", noteBreak);
      client.release(broken);
    };
    try {
      const begun = client.query(beginIn(scope, "read only"));
      begun.catch(() => {});
      const result = await read(queriesOf(client));
      await begun;
      void end("commit");
      return result;
    } catch (error) {
      await end("rollback");
      throw isConnectionError(error) ? new DatabaseUnreachable({ cause: error }) : error;
    }
  };

  const readAtOnce: WithTransaction = async (scope, read) => {
    const client = await take();
    let broken: Error | undefined;
    const noteBreak = (error: Error) => (broken = error);
    client.on("error", noteBreak);
    const { tx, seal } = queriesAtOnce(client);
    const stream = client instanceof Client ? client.connection.stream : undefined;
    const commit = async () => {
      // Kysely hands its statements over within microtasks.
      await turnOfTheLoop();
      seal();
      const committed = client.query("commit");
      stream?.uncork();
      return committed;
    };
    stream?.cork();
    const parts = [client.query(beginIn(scope)), read(tx), commit()] as const;
    try {
      return (await Promise.all(parts))[1];
    } catch (error) {
      // The commit ends the transaction, and as a rollback where a statement failed.
      await Promise.allSettled(parts);
      if (!isConnectionError(error)) throw error;
      broken = new DatabaseUnreachable({ cause: error });
      throw broken;
    } finally {
      client.off("error", noteBreak);
      client.release(broken);
    }
  };

  return {
    withTransaction,
    readInTransaction,
    readAtOnce,
    async callFunction<Row extends QueryResultRow>(name: string, sql: string, values: unknown[]): Promise<Row[]> {
      try {
        const { rows } = await pool.query<Row>({ name, text: sql, values });
        return rows;
      } catch (error) {
        throw isConnectionError(error) ? new DatabaseUnreachable({ cause: error }) : error;
      }
    },
    newListener: () => new Client({ ...connection, application_name: "leadline-listener" }),
    close: () => pool.end(),
  };
}
