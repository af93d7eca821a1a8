import { listLivingProcesses } from "../../db/mark-process-alive.ts";
import { recordVoicemail } from "../calls/inbound/record-voicemail.ts";
import { finishMessageFile } from "./message-file.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";
import { deleteMessages, type HalfRecorded, keepMessage, selectHalfRecorded } from "./voicemail-messages.table.ts";

/**
 * Finishes messages of dead processes, or of this one if storing failed, and deletes rows without speech. An unreadable
 * file stays until it can be read. A file missing for a day is considered lost. Never rejects.
 */
export async function closeHalfRecorded(
  deps: Pick<VoicemailDeps, "database" | "carriers" | "store" | "processKey" | "log">,
  recordedHere: readonly string[],
): Promise<void> {
  try {
    const left = await deps.database.withTransaction({ system: "find messages whose process has ended" }, async (tx) =>
      selectHalfRecorded(tx, {
        livingProcesses: await listLivingProcesses(tx),
        processKey: deps.processKey,
        recordedHere,
      }),
    );
    for (const message of left) await close(deps, message);
  } catch (error) {
    deps.log.error({ err: error }, "half-recorded messages could not be looked for");
  }
}

async function close(
  { database, carriers, store, log }: Pick<VoicemailDeps, "database" | "carriers" | "store" | "log">,
  { callSid, organisationId, storedName, isOld }: HalfRecorded,
): Promise<void> {
  try {
    const durationMs = await finishMessageFile(store, storedName).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" && isOld) return null;
      throw error;
    });
    await database.withTransaction({ organisationId }, async (tx) => {
      if (durationMs === null) await deleteMessages(tx, [callSid]);
      else await keepMessage(tx, callSid, durationMs);
      await recordVoicemail(tx, carriers, callSid, durationMs === null ? "server-restarted" : "left-message");
    });
    if (durationMs === null) await store.remove(storedName).catch(() => {});
    log.warn({ callSid, durationMs }, "a half-recorded message was closed");
  } catch (error) {
    log.error({ err: error, callSid }, "a half-recorded message could not be read; retrying later");
  }
}
