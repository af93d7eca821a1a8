import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { backOffMs } from "../back-off-ms.ts";
import type { Log } from "../log.ts";
import type { Database } from "./database.ts";

export interface KeptConnection {
  /** Runs on each new connection, before it counts as made: LISTEN, locks. */
  prepare(client: Client): Promise<unknown>;
  /** The connection was away and is back: what it would have heard meanwhile is missing. */
  onRestored?(): void;
  log: Log;
}

/** One connection outside the pool, made again for as long as it takes. Resolves once the first stands. */
export async function keepConnection(database: Database, kept: KeptConnection): Promise<{ close(): Promise<void> }> {
  const state: { closed: boolean; client: Client | undefined } = { closed: false, client: undefined };

  const connect = async (): Promise<void> => {
    const client = database.newListener();
    client.on("error", (error) => kept.log.warn({ err: error }, "a lasting database connection failed"));
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
        kept.log.warn({ err: error }, "a lasting database connection is not back yet");
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
