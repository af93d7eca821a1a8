import type { Database } from "../../db/database.ts";
import { keepConnection } from "../../db/keep-connection.ts";
import type { Log } from "../../log.ts";
import type { StoredEvent } from "./live-events.table.ts";

export interface EventListeners {
  /** data is null if the event was too large for its notification. */
  onEvent(event: Omit<StoredEvent, "data"> & { organisationId: string; data: string | null }): void;
  onSessionChange(userId: string): void;
  /** The connection was lost: notifications may be missing. */
  onGap(): void;
}

/** Resolves once it is listening. */
export function listenForEvents(
  database: Database,
  listeners: EventListeners,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  return keepConnection(database, {
    async prepare(client) {
      client.on("notification", ({ channel, payload = "" }) => {
        if (channel === "leadline_sessions") listeners.onSessionChange(payload);
        else listeners.onEvent(readPayload(payload));
      });
      await client.query("listen leadline_events; listen leadline_sessions");
    },
    onRestored: () => listeners.onGap(),
    log,
  });
}

/** Parses `id organisation type data`, as publishLiveEvent writes it. */
function readPayload(payload: string): Parameters<EventListeners["onEvent"]>[0] {
  const [, id = "", organisationId = "", type = "", data = ""] = /^(\d+) (\S+) (\S+) ?(.*)$/s.exec(payload) ?? [];
  return { id: Number(id), organisationId, type, data: data === "" ? null : data };
}
