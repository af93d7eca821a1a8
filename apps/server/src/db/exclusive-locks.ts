import type { Client } from "pg";
import type { Log } from "../log.ts";
import type { Database } from "./database.ts";
import { keepConnection } from "./keep-connection.ts";

/** The first half of the advisory locks for exclusive resources; the second half is a hash of the name. */
const lockClass = 1_818_584_165;

/** Exclusive resources: one process holds each at a time. If that process dies, another one gets it. */
export interface ExclusiveLocks {
  /** Whether this process holds it; null while the database is unreachable. Each name is requested once at a time. */
  tryHold(name: string): Promise<boolean | null>;
  release(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function openExclusiveLocks(database: Database, log: Log): Promise<ExclusiveLocks> {
  const held = new Set<string>();
  let client: Client | null = null;
  const connection = await keepConnection(database, {
    async prepare(next) {
      client = next;
      next.once("end", () => {
        // The locks ended with the connection.
        held.clear();
        if (client === next) client = null;
      });
    },
    log,
  });
  return {
    async tryHold(name) {
      if (held.has(name)) return true;
      const asked = client;
      if (!asked) return null;
      const answer = await asked
        .query<{ ours: boolean }>("select pg_try_advisory_lock($1, hashtext($2)) as ours", [lockClass, name])
        .catch((error: unknown) => {
          log.warn({ err: error }, "can't tell which process holds an exclusive resource");
          return null;
        });
      if (!answer || client !== asked) return null;
      if (!answer.rows[0]?.ours) return false;
      held.add(name);
      return true;
    },
    async release(name) {
      if (held.delete(name)) await client?.query("select pg_advisory_unlock($1, hashtext($2))", [lockClass, name]);
    },
    close: () => connection.close(),
  };
}
