import type { HangUpCause } from "@leadline/contract/call-state";
import { recordVoicemail } from "../calls/inbound/record-voicemail.ts";
import type { RingingCaller, Voicemail } from "../calls/inbound/voicemail.ts";
import { isOpenNow } from "../organisations/is-open-now.ts";
import { retryWrite } from "../calls/retry-write.ts";
import { type Admitted, admitCaller } from "./admit-caller.ts";
import { closeHalfRecorded } from "./close-half-recorded.ts";
import { createMessageFile, type MessageFile } from "./message-file.ts";
import { type Came, serveCaller } from "./serve-caller.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";
import { deleteMessages, keepMessage } from "./voicemail-messages.table.ts";
import { findSettings } from "./voicemail-settings.table.ts";

export interface OpenVoicemail extends Voicemail {
  /** Hangs up on every caller and stores their messages. */
  close(): Promise<void>;
}

const retryHalfRecordedMs = 60 * 60_000;

/** Answers calls from now on. First finishes or deletes half-recorded messages of a killed process. */
export async function createVoicemail(deps: VoicemailDeps): Promise<OpenVoicemail> {
  const { database, store, mediaPlane, log } = deps;
  const listeners = new Map<string, (samples: Int16Array) => void>();
  const underWay = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const closing = new AbortController();
  mediaPlane.onTapped(({ tapId, left }) => listeners.get(tapId)?.(left));
  const onSound = (legId: string, listener: ((samples: Int16Array) => void) | null): void => {
    if (listener) listeners.set(legId, listener);
    else listeners.delete(legId);
  };
  const recordedHere = new Set<string>();
  await closeHalfRecorded(deps, []);
  // Files that were unreadable may be readable now.
  const retrying = setInterval(() => void closeHalfRecorded(deps, [...recordedHere]), retryHalfRecordedMs);
  retrying.unref();

  /** False if it is gone because its organisation was deleted meanwhile. */
  const keep = ({ callSid, organisationId }: RingingCaller, durationMs: number): Promise<boolean> =>
    database.withTransaction({ organisationId }, async (tx) => {
      const stays = await keepMessage(tx, callSid, durationMs);
      await recordVoicemail(tx, deps.carriers, callSid, "left-message");
      return stays;
    });

  const forget = ({ callSid, organisationId }: RingingCaller, reason: HangUpCause["reason"]): Promise<boolean> =>
    database.withTransaction({ organisationId }, async (tx) => {
      const names = await deleteMessages(tx, [callSid]);
      if (names.length > 0) await recordVoicemail(tx, deps.carriers, callSid, reason);
      return false;
    });

  async function serve(caller: RingingCaller, admitted: Admitted, kept: { storedName: string; file: MessageFile }) {
    const { callSid } = caller;
    const { storedName, file } = kept;
    const { greetingName } = admitted;
    const { signal } = closing;
    const came = await serveCaller(deps, { call: caller.call, greetingName, file, closing: signal, onSound });
    const durationMs = await file.finish().catch((error: unknown) => {
      log.error({ err: error, callSid }, "a message could not be completed; retrying later");
      return "unfinished" as const;
    });
    await file.close().catch(() => {});
    if (durationMs === "unfinished") return;
    const reason = withoutMessage[came];
    const isKept = await retryWrite(log, callSid, () =>
      durationMs === null ? forget(caller, reason) : keep(caller, durationMs),
    );
    if (!isKept) await store.remove(storedName).catch(() => {});
    log.info({ callSid, came, durationMs }, "a caller left the voicemail");
  }

  async function take(caller: RingingCaller): ReturnType<Voicemail["take"]> {
    if (closing.signal.aborted) return "off";
    recordedHere.add(caller.callSid);
    const storedName = store.drawName();
    const file = await createMessageFile(store, storedName);
    const drop = async () => {
      await file.close();
      await store.remove(storedName);
    };
    const { organisationId, callSid } = caller;
    let admitted: Awaited<ReturnType<typeof admitCaller>>;
    try {
      admitted = await admitCaller(deps, { organisationId, callSid, storedName });
    } catch (error) {
      // The commit may have succeeded even if its response was lost.
      void track(retryWrite(log, callSid, () => forget(caller, "voicemail-failed")).finally(drop));
      throw error;
    }
    if (typeof admitted === "string") {
      recordedHere.delete(callSid);
      await drop();
      return admitted;
    }
    void track(serve(caller, admitted, { storedName, file }).finally(() => recordedHere.delete(callSid)));
    return "taken";
  }

  return {
    async ringMs(organisationId) {
      try {
        return await database.readInTransaction({ organisationId }, async (tx) => {
          const [settings, isOpen] = await Promise.all([
            findSettings(tx, organisationId),
            isOpenNow(tx, organisationId),
          ]);
          if (!settings.enabled) return null;
          return isOpen ? settings.ringSeconds * 1000 : 0;
        });
      } catch (error) {
        log.error({ err: error, organisationId }, "the voicemail's settings could not be read");
        return null;
      }
    },
    take: (caller) =>
      track(take(caller)).catch((error: unknown) => {
        recordedHere.delete(caller.callSid);
        log.error({ err: error, callSid: caller.callSid }, "the voicemail could not take a call");
        return "failed";
      }),
    async close() {
      clearInterval(retrying);
      closing.abort();
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

const withoutMessage = {
  "not-answered": "voicemail-failed",
  "gave-up": "hung-up-there",
  "heard-greeting": "hung-up-in-greeting",
  "was-recorded": "left-no-message",
  "disk-failed": "voicemail-failed",
} as const satisfies Record<Came, HangUpCause["reason"]>;
