import type { Tx } from "../../db/transaction.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";
import { readUse, selectHeard } from "./voicemail-messages.table.ts";

/**
 * The heard messages that must be deleted, oldest first, before another can be recorded in full; empty if there is
 * room. Null if deleting all of them wouldn't be enough.
 */
export async function findRoom(
  { bounds }: Pick<VoicemailDeps, "bounds">,
  tx: Tx,
  organisationId: string,
): Promise<string[] | null> {
  const { keptMs, recording } = await readUse(tx, organisationId);
  let missingMs = keptMs + (recording + 1) * bounds.longestMs - bounds.maxMs;
  if (missingMs <= 0) return [];
  const leaving: string[] = [];
  for (const { callSid, durationMs } of await selectHeard(tx, organisationId)) {
    leaving.push(callSid);
    missingMs -= durationMs;
    if (missingMs <= 0) return leaving;
  }
  return null;
}
