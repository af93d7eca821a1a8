import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import type { StoredEvent } from "./live-events.table.ts";

export interface Heard {
  /** data is null where the event was too big for its notification. */
  onEvent(event: Omit<StoredEvent, "data"> & { organisationId: string; data: string | null }): void;
  onSessionChange(userId: string): void;
  /** The connection was away: notifications may be missing. */
  onGap(): void;
}

/** One connection a process, made again for as long as it takes. Resolves once it listens. */
export async function listenForEvents(database: Database, heard: Heard, log: Log): Promise<{ close(): Promise<void> }> {
  const state: { closed: boolean; client: Client | undefined } = { closed: false, client: undefined };

  const connect = async (): Promise<void> => {
    const client = database.newListener();
    client.on("error", (error) => log.warn({ err: error }, "the event listener's connection failed"));
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === "leadline_sessions") heard.onSessionChange(payload);
      else heard.onEvent(readPayload(payload));
    });
    try {
      await client.connect();
      await client.query("listen leadline_events; listen leadline_sessions");
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    state.client = client;
    client.once("end", () => void reconnect());
  };

  const reconnect = async (): Promise<void> => {
    for (let waitMs = 50; !state.closed; waitMs = Math.min(waitMs * 2, 2_000)) {
      await sleep(waitMs);
      try {
        await connect();
        return heard.onGap();
      } catch (error) {
        log.warn({ err: error }, "the event listener is not back yet");
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

/** `id organisation type data`, as publishLiveEvent writes it. */
function readPayload(payload: string): Parameters<Heard["onEvent"]>[0] {
  const [, id = "", organisationId = "", type = "", data = ""] = /^(\d+) (\S+) (\S+) ?(.*)$/s.exec(payload) ?? [];
  return { id: Number(id), organisationId, type, data: data === "" ? null : data };
}
