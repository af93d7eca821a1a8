import type { LiveEventData, LiveEventType } from "@leadline/contract/live-events";
import type { Tx } from "../../db/transaction.ts";
import { insertLiveEvent } from "./live-events.table.ts";

export interface NewLiveEvent<T extends LiveEventType> {
  organisationId: string;
  type: T;
  data: LiveEventData<T>;
}

/** A notification is limited to 8,000 bytes. A larger event is announced by its id only. */
const largestPayloadBytes = 7_500;

/**
 * Sends an event to every stream of the organisation when the transaction commits. Publish last: until the commit the
 * organisation's other publishers wait, so that ids become visible in order and resuming misses none.
 */
export async function publishLiveEvent<T extends LiveEventType>(tx: Tx, event: NewLiveEvent<T>): Promise<void> {
  const { organisationId, type } = event;
  const data = JSON.stringify(event.data);
  const inline = Buffer.byteLength(data) < largestPayloadBytes ? data : "";
  await insertLiveEvent(tx, { organisationId, type, data, inline });
}
