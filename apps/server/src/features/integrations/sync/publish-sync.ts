import type { Tx } from "../../../db/transaction.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import type { StoredRun } from "./sync-runs.table.ts";

export async function publishSync(tx: Tx, { run, integrationId, organisationId }: StoredRun): Promise<void> {
  await publishLiveEvent(tx, { organisationId, type: "sync.updated", data: { ...run, integrationId } });
}
