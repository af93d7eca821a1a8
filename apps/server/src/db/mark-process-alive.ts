import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { Log } from "../log.ts";
import type { Database } from "./database.ts";
import { keepConnection } from "./keep-connection.ts";
import type { Tx } from "./transaction.ts";

/** The first half of the advisory locks that mark processes; the second is the process. */
const lockClass = 1_818_584_164;

export interface ProcessMark {
  /** What this process writes beside the things it carries. */
  processKey: number;
  close(): Promise<void>;
}

/** Where processes notify each other; the payload is the key of the process that is meant, or what all are told. */
export const processChannel = "leadline_processes";

/** To every process, this one too, once the transaction commits. */
export const announce = (tx: Tx, what: string): Promise<unknown> =>
  sql`select pg_notify(${processChannel}, ${what})`.execute(tx);

/**
 * Holds a session lock for as long as this process lives: whatever kills it, Postgres lets go of the lock. `onNotified` is called
 * when another process has something for this one, or may have had while the connection was away; `onAnnounced` with what any
 * process told all.
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

/** The keys of the processes alive at this moment, of every host on this database. */
export async function listLivingProcesses(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ key: number }>`
    select objid::bigint as key from pg_locks
    where locktype = 'advisory' and granted and classid::bigint = ${lockClass} and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`.execute(tx);
  return rows.map(({ key }) => Number(key));
}
