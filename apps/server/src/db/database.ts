import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type QueryResultRow } from "pg";
import type { Log } from "../log.ts";
import { appRole } from "./app-role.ts";
import { openBurstConnections } from "./bursts.ts";
import { queriesOn } from "./connection-dialect.ts";
import { DatabaseUnreachable, isConnectionError, orUnreachable } from "./database-unreachable.ts";
import { createFairTurns } from "./fair-turns.ts";
import { pgTypes } from "./pg-types.ts";
import { readAtOnceOn } from "./read-at-once.ts";
import { beginStatement, type Scope, type Tx, type WithTransaction } from "./transaction.ts";

export interface Database {
  withTransaction: WithTransaction;
  /**
   * Like withTransaction, for reads only: a write is refused, and the result doesn't wait for COMMIT, which has nothing
   * to persist.
   */
  readInTransaction: WithTransaction;
  /**
   * Like withTransaction, in one round trip: the queries that `read` issues before it awaits an answer are sent as one
   * burst, and later ones are rejected. For reads of about a millisecond, as others wait behind them, and never for
   * writes: the number of affected rows is not returned.
   */
  readAtOnce: WithTransaction;
  /**
   * Runs one prepared statement in its own transaction without a scope: for functions that authenticate. Its values are
   * read when it is sent, at the end of this event-loop turn.
   */
  callFunction<Answer extends QueryResultRow>(name: string, sql: string, values: () => unknown[]): Promise<Answer[]>;
  /** A separate connection outside the pool, for LISTEN. Not connected yet. */
  newListener(): Client;
  close(): Promise<void>;
}

/** Two brisk transactions keep Postgres about as busy as twenty; long ones leave most of the pool free. */
const fairness = { briskEach: 2, longEach: 6, longMs: 200 };

interface DatabaseOptions {
  maxConnections?: number;
  /** How long to wait for a connection, or for a turn. */
  patienceMs?: number;
}

export function openDatabase(url: string, log: Log, options: DatabaseOptions = {}): Database {
  const { maxConnections: max = 20, patienceMs = 10_000 } = options;
  const connection: ClientConfig = {
    connectionString: url,
    options: `-c role=${appRole} -c timezone=UTC -c datestyle=ISO -c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000`,
    types: pgTypes,
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: patienceMs,
    application_name: "leadline",
  };
  // A few stay open: on a busy machine, opening a connection can take seconds.
  const pool = new Pool({ ...connection, max, min: Math.min(4, max), idleTimeoutMillis: 60_000 });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  // Separate connections, so that a slow read never delays a login.
  const functions = openBurstConnections(connection, { log, maxConnections: 1 });
  const reads = openBurstConnections(connection, { log, maxConnections: 4 });
  const queries = new WeakMap<ClientBase, Tx>();

  // With as many turns as connections, the pool's own queue, which would favour the busiest organisation, stays empty.
  const turns = createFairTurns({ ...fairness, patienceMs, atOnce: max });

  /** Takes a connection from the pool; the returned release function discards a broken one. */
  const take = async (scope: Scope) => {
    const endTurn = await turns.take(turnOf(scope)).catch((error: unknown) => {
      throw new DatabaseUnreachable({ cause: error });
    });
    const client = await pool.connect().catch((error: unknown) => {
      endTurn();
      throw new DatabaseUnreachable({ cause: error });
    });
    let isBroken = false;
    const noteBreak = () => void (isBroken = true);
    client.on("error", noteBreak);
    const giveBack = () => {
      client.off("error", noteBreak);
      client.release(isBroken);
      endTurn();
    };
    return { client, noteBreak, giveBack };
  };

  const queriesOf = (client: PoolClient): Tx => {
    const tx = queries.get(client) ?? queriesOn(client);
    queries.set(client, tx);
    return tx;
  };

  /** Sends the first statement right after BEGIN, without waiting for its reply. */
  const begin = (client: PoolClient, beginning: string) => {
    const begun = client.query(beginning);
    begun.catch(() => {});
    return begun;
  };

  const withTransaction: WithTransaction = async (scope, work) => {
    const { client, noteBreak, giveBack } = await take(scope);
    try {
      const begun = begin(client, beginStatement(scope));
      const result = await work(queriesOf(client));
      await begun;
      const { command } = await client.query("commit");
      // A statement failed and its error was swallowed: Postgres then turns COMMIT into ROLLBACK without an error.
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
    const { client, noteBreak, giveBack } = await take(scope);
    const end = (how: "commit" | "rollback") => client.query(how).catch(noteBreak).finally(giveBack);
    try {
      const begun = begin(client, beginStatement(scope, "read only"));
      const result = await read(queriesOf(client));
      await begun;
      void end("commit");
      return result;
    } catch (error) {
      await end("rollback");
      throw orUnreachable(error);
    }
  };

  return {
    withTransaction,
    readInTransaction,
    readAtOnce: readAtOnceOn(reads),
    async callFunction<Answer extends QueryResultRow>(
      name: string,
      sql: string,
      values: () => unknown[],
    ): Promise<Answer[]> {
      const [rows] = await functions.ask(() => [{ name, text: sql, values: values() }]);
      return rows as Answer[];
    },
    newListener: () => new Client({ ...connection, application_name: "leadline-listener" }),
    async close() {
      await Promise.all([pool.end(), functions.close(), reads.close()]);
    },
  };
}

/** The queue that a transaction waits in: one per organisation; the system's transactions queue by purpose. */
function turnOf(scope: Scope): string {
  if ("system" in scope) return `system: ${scope.system}: ${scope.by ?? ""}`;
  const whose = scope.organisationId ?? scope.userId ?? "";
  return scope.forLiveCall ? `live calls: ${whose}` : whose;
}
