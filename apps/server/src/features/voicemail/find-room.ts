import type { Tx } from "../../db/transaction.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";
import { readUse, selectHeard } from "./voicemail-messages.table.ts";

/**
 * The heard messages that must go, the oldest first, before another can be recorded in full; none while there is room. Null
 * where even all of them would not do.
 */
export async function findRoom(
  { bounds }: Pick<VoicemailDeps, "bounds">,
  tx: Tx,
  organisationId: string,
): Promise<string[] | null> {
  const { keptMs, recording } = await readUse(tx, organisationId);
  let missingMs = keptMs + (recording + 1) * bounds.longestMs - bounds.mostMs;
  if (missingMs <= 0) return [];
  const leaving: string[] = [];
  for (const { callSid, durationMs } of await selectHeard(tx, organisationId)) {
    leaving.push(callSid);
    missingMs -= durationMs;
    if (missingMs <= 0) return leaving;
  }
  return null;
}
