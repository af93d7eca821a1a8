import type { RequestLimit } from "@leadline/contract/integrations";
import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

interface Key {
  organisationId: string;
  integrationId: string;
}

export async function findCursor(tx: Tx, key: Key): Promise<string | null> {
  const row = await tx
    .selectFrom("integrations")
    .select("sync_cursor")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .executeTakeFirst();
  return row?.sync_cursor ?? null;
}

/** False if the cursor has changed since the page was read: another worker continued, or the account changed. */
export async function moveCursor(
  tx: Tx,
  key: Key,
  move: { from: string | null; to: string; requestLimit: RequestLimit | null },
): Promise<boolean> {
  const { requestLimit } = move;
  const updated = await tx
    .updateTable("integrations")
    .set({
      sync_cursor: move.to,
      pauses: sql<number>`case when paused_until > clock_timestamp() then pauses else 0 end`,
      request_limit: requestLimit === null ? null : JSON.stringify(requestLimit),
    })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .where("sync_cursor", "is not distinct from", move.from)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}
