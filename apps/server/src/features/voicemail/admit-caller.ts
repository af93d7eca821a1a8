import { asLeadline } from "../../db/as-leadline.ts";
import { endInVoicemail, recordVoicemail } from "../calls/inbound/record-voicemail.ts";
import { findRoom } from "./find-room.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";
import { deleteMessages, insertMessage, readUse } from "./voicemail-messages.table.ts";
import { findSettings, selectGreetings, takeTurnAtVoicemail } from "./voicemail-settings.table.ts";

export interface Admitted {
  /** Null means the default. */
  greetingName: string | null;
}

/**
 * In one transaction, ends the call for the people it rang for, and creates its message and a place in voicemail.
 * Otherwise returns the reason, and changes nothing.
 */
export async function admitCaller(
  deps: VoicemailDeps,
  { organisationId, callSid, storedName }: { organisationId: string; callSid: string; storedName: string },
): Promise<Admitted | "off" | "full" | "busy"> {
  const { database, carriers, store, processKey } = deps;
  const { outcome, removed } = await database.withTransaction({ organisationId }, async (tx) => {
    const not = (why: "off" | "full" | "busy") => ({ outcome: why, removed: [] });
    await takeTurnAtVoicemail(tx, organisationId);
    const settings = await findSettings(tx, organisationId);
    if (!settings.enabled) return not("off");
    if ((await readUse(tx, organisationId)).recording >= deps.bounds.maxAtOnce) {
      const { maxAtOnce } = deps.bounds;
      deps.log.warn(
        { organisationId, callSid, maxAtOnce },
        "more callers than VOICEMAILS_AT_ONCE allows: one was refused",
      );
      return not("busy");
    }
    const leaving = await findRoom(deps, tx, organisationId);
    if (leaving === null) return not("full");
    const greetings = await selectGreetings(tx, organisationId);
    const greeting = greetings.find(({ id }) => id === settings.greetingId);
    const names =
      leaving.length > 0 ? await asLeadline(tx, "voicemail.replaced", () => deleteMessages(tx, leaving)) : [];
    for (const gone of leaving) await recordVoicemail(tx, carriers, gone);
    await insertMessage(tx, { callSid, organisationId, storedName, processKey });
    if ((await endInVoicemail(tx, carriers, callSid)) === null) throw new Error("The call has stopped ringing.");
    return { outcome: { greetingName: greeting?.storedName ?? null }, removed: names };
  });
  await Promise.all(removed.map((name) => store.remove(name).catch(() => {})));
  return outcome;
}
