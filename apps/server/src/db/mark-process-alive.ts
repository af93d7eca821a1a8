import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { Log } from "../log.ts";
import type { Database } from "./database.ts";
import { keepConnection } from "./keep-connection.ts";
import type { Tx } from "./transaction.ts";

/** The first half of the advisory locks that mark living processes; the second half is the process key. */
const lockClass = 1_818_584_164;

export interface ProcessMark {
  /** Stored in the rows that this process owns, such as its live calls. */
  processKey: number;
  close(): Promise<void>;
}

/**
 * The channel on which processes notify each other; the payload is the receiving process's key, or an announcement to
 * all.
 */
export const processChannel = "leadline_processes";

/** Notifies every process, including this one, once the transaction commits. */
export const announce = (tx: Tx, what: string): Promise<unknown> =>
  sql`select pg_notify(${processChannel}, ${what})`.execute(tx);

/**
 * Holds a session lock while this process lives: however it dies, Postgres releases the lock. `onNotified` is called
 * when another process has work for this one, or may have had while the connection was down; `onAnnounced` is called
 * with every announcement.
 */
export async function markProcessAlive(
  database: Database,
  log: Log,
  onNotified: () => void = () => {},
  onAnnounced: (what: string) => void = () => {},
): Promise<ProcessMark> {
  const processKey = randomInt(1, 2 ** 31 - 1);
  const connection = await keepConnection(database, {
    async prepare(client) {
      client.on("notification", ({ payload }) => {
        if (payload === String(processKey)) onNotified();
        else if (payload !== undefined && !/^\d+$/.test(payload)) onAnnounced(payload);
      });
      await client.query(`listen ${processChannel}`);
      await client.query("select pg_advisory_lock($1, $2)", [lockClass, processKey]);
    },
    onRestored: onNotified,
    log,
  });
  return { processKey, close: () => connection.close() };
}

/** The keys of the processes that are alive now, on every host that uses this database. */
export async function listLivingProcesses(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ key: number }>`
    select objid::bigint as key from pg_locks
    where locktype = 'advisory' and granted and classid::bigint = ${lockClass} and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`.execute(tx);
  return rows.map(({ key }) => Number(key));
}
