import type { LiveEventData, LiveEventType } from "@leadline/contract/live-events";
import type { Tx } from "../../db/transaction.ts";
import { insertLiveEvent } from "./live-events.table.ts";

export interface NewLiveEvent<T extends LiveEventType> {
  organisationId: string;
  type: T;
  data: LiveEventData<T>;
}

/** A notification holds under 8,000 bytes; a bigger event is announced by its id alone. */
const largestPayloadBytes = 7_500;

/**
 * Tells every stream of the organisation, when and if the transaction commits. Publish last: until the commit the
 * organisation's other publishers wait, so that ids become visible in order and a resume after one misses none before it.
 */
export async function publishLiveEvent<T extends LiveEventType>(tx: Tx, event: NewLiveEvent<T>): Promise<void> {
  const { organisationId, type } = event;
  const data = JSON.stringify(event.data);
  const inline = Buffer.byteLength(data) < largestPayloadBytes ? data : "";
  await insertLiveEvent(tx, { organisationId, type, data, inline });
}
