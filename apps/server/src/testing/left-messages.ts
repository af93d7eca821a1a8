import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { waveFile } from "@leadline/adapter-kit/wave-file";
import type { FileStore } from "../features/files/file-store.ts";
import { leavePastCalls, type PastCall } from "./past-calls.ts";
import type { TestApp } from "./test-app.ts";
import type { Rep } from "./test-calls.ts";

interface LeftMessage extends Partial<PastCall> {
  /** The whole file; by default a tone of `durationMs`. */
  file?: Buffer;
  durationMs?: number;
  heard?: boolean;
  /** A recording that this process has not finished. */
  halfRecordedBy?: number;
}

export const toneFile = (hz: number, durationMs: number): Buffer =>
  waveFile(toneSamples(hz, { from: 0, length: (durationMs * sampleRate) / 1000 }), sampleRate);

/** A missed call whose caller left a voicemail message. */
export async function leaveMessage(
  app: Pick<TestApp, "database"> & { store: FileStore },
  rep: Pick<Rep, "id" | "organisationId">,
  { file, durationMs = 2_000, heard = false, halfRecordedBy, at = new Date().toISOString(), ...call }: LeftMessage = {},
): Promise<{ callSid: string; storedName: string }> {
  const past = { at, direction: "inbound" as const, status: "no-answer" as const, ...call };
  const [callSid = ""] = await leavePastCalls(app, rep, [past]);
  const storedName = app.store.drawName();
  const handle = await app.store.openToWrite(storedName, "new");
  await handle.writeFile(file ?? toneFile(440, durationMs)).finally(() => handle.close());
  const { organisationId } = rep;
  const isKept = halfRecordedBy === undefined;
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await tx
      .insertInto("voicemail_messages")
      .values({
        call_sid: callSid,
        organisation_id: organisationId,
        state: isKept ? "kept" : "recording",
        stored_name: storedName,
        duration_ms: isKept ? durationMs : 0,
        process_key: halfRecordedBy ?? 0,
        created_at: at,
        heard_at: heard ? at : null,
      })
      .execute();
    await tx
      .updateTable("calls")
      .set({ user_id: null, reason: isKept ? "left-message" : "in-voicemail" })
      .where("call_sid", "=", callSid)
      .execute();
  });
  return { callSid, storedName };
}
