import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { backOffMs } from "../back-off-ms.ts";
import type { Log } from "../log.ts";
import type { Database } from "./database.ts";

export interface KeptConnection {
  /** Runs on each new connection before it is used: LISTEN, locks. */
  prepare(client: Client): Promise<unknown>;
  /** The connection was lost and is back: notifications in between were missed. */
  onRestored?(): void;
  log: Log;
}

/**
 * Keeps one connection outside the pool and reconnects for as long as it takes. Resolves once it has connected for the
 * first time.
 */
export async function keepConnection(database: Database, kept: KeptConnection): Promise<{ close(): Promise<void> }> {
  const state: { closed: boolean; client: Client | undefined } = { closed: false, client: undefined };

  const connect = async (): Promise<void> => {
    const client = database.newListener();
    client.on("error", (error) => kept.log.warn({ err: error }, "a persistent database connection failed"));
    try {
      await client.connect();
      await kept.prepare(client);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    state.client = client;
    client.once("end", () => void reconnect());
  };

  const reconnect = async (): Promise<void> => {
    for (let failures = 0; !state.closed; failures += 1) {
      await sleep(backOffMs(failures, { firstMs: 50, longestMs: 2_000 }));
      try {
        await connect();
        return kept.onRestored?.();
      } catch (error) {
        kept.log.warn({ err: error }, "a persistent database connection is not back yet");
      }
    }
  };

  await connect();
  return {
    async close() {
      state.closed = true;
      await state.client?.end();
    },
  };
}
