import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type QueryResultRow } from "pg";
import type { Log } from "../log.ts";
import { appRole } from "./app-role.ts";
import { queriesAtOnce, queriesOn } from "./connection-dialect.ts";
import { DatabaseUnreachable, isConnectionError, orUnreachable } from "./database-unreachable.ts";
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

  /** A connection of the pool, and the way back, from where a broken one is not used again. */
  const take = async () => {
    const client = await pool.connect().catch((error: unknown) => {
      throw new DatabaseUnreachable({ cause: error });
    });
    let isBroken = false;
    const noteBreak = () => void (isBroken = true);
    client.on("error", noteBreak);
    const giveBack = () => {
      client.off("error", noteBreak);
      client.release(isBroken);
    };
    return { client, noteBreak, giveBack };
  };

  const queriesOf = (client: PoolClient): Tx => {
    const tx = queries.get(client) ?? queriesOn(client);
    queries.set(client, tx);
    return tx;
  };

  /** The first statement follows BEGIN without waiting for its answer. */
  const begin = (client: PoolClient, beginning: string) => {
    const begun = client.query(beginning);
    begun.catch(() => {});
    return begun;
  };

  const withTransaction: WithTransaction = async (scope, work) => {
    const { client, noteBreak, giveBack } = await take();
    try {
      const begun = begin(client, beginIn(scope));
      const result = await work(queriesOf(client));
      await begun;
      const { command } = await client.query("commit");
      // A statement failed and its error was swallowed: Postgres then turns the commit into a rollback without an error.
      if (command !== "COMMIT") throw new Error("the transaction had failed and was rolled back");
      return result;
    } catch (error) {
      if (isConnectionError(error)) noteBreak();
      else await client.query("rollback").catch(noteBreak);
      throw orUnreachable(error);
    } finally {
      giveBack();
    }
  };

  const readInTransaction: WithTransaction = async (scope, read) => {
    const { client, noteBreak, giveBack } = await take();
    const end = (how: "commit" | "rollback") => client.query(how).catch(noteBreak).finally(giveBack);
    try {
      const begun = begin(client, beginIn(scope, "read only"));
      const result = await read(queriesOf(client));
      await begun;
      void end("commit");
      return result;
    } catch (error) {
      await end("rollback");
      throw orUnreachable(error);
    }
  };

  const readAtOnce: WithTransaction = async (scope, read) => {
    const { client, noteBreak, giveBack } = await take();
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
      if (isConnectionError(error)) noteBreak();
      throw orUnreachable(error);
    } finally {
      giveBack();
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
        throw orUnreachable(error);
      }
    },
    newListener: () => new Client({ ...connection, application_name: "leadline-listener" }),
    close: () => pool.end(),
  };
}
