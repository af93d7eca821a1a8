import { setTimeout as wait } from "node:timers/promises";
import type { CarrierLeg, CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { announce } from "../../media-plane/announce.ts";
import type { RingingCaller } from "../calls/inbound/voicemail.ts";
import { soundBeforeRecording } from "./greeting/greeting-sound.ts";
import type { MessageFile } from "./message-file.ts";
import { followMessageSound } from "./message-sound.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";

/** A caller whose side sends no description for this long, or never hears the whole greeting, is gone. */
const longestBeforeMs = 120_000;

const lookEveryMs = 100;

interface ServeCaller {
  call: RingingCaller["call"];
  greetingName: string | null;
  file: MessageFile;
  /** Aborted when the server stops. */
  closing: AbortSignal;
  /** Receives the audio of a leg's far end. */
  onSound: (legId: string, listener: ((samples: Int16Array) => void) | null) => void;
}

/** How far the caller got. The file then contains what was said. */
export type Came = "not-answered" | "gave-up" | "heard-greeting" | "was-recorded" | "disk-failed";

/**
 * Answers, plays the greeting, records until the caller hangs up, falls silent or reaches the longest length, and hangs
 * up.
 */
export async function serveCaller(deps: VoicemailDeps, caller: ServeCaller): Promise<Came> {
  const { mediaPlane, log } = deps;
  const gone = Promise.withResolvers<"gone">();
  const answered = Promise.withResolvers<"answered">();
  const stop = () => gone.resolve("gone");
  caller.closing.addEventListener("abort", stop);
  if (caller.closing.aborted) stop();
  const opened = await mediaPlane.openCarrierLeg().catch((error: unknown) => {
    log.error({ err: error }, "the voicemail's leg could not be opened");
    return null;
  });
  if (!opened) {
    caller.call.refuse("nobody-there");
    return "not-answered";
  }
  const { legId, offer } = opened;
  let leg: CarrierLeg | null = null;
  const onEvent = (event: CarrierLegEvent): void => {
    if (event.type === "ended") return gone.resolve("gone");
    if (!("answer" in event)) return;
    mediaPlane.acceptCarrierAnswer(legId, event.answer).then(
      () => event.type === "answered" && answered.resolve("answered"),
      (error: unknown) => {
        log.warn({ err: error }, "a caller's SDP answer was refused");
        gone.resolve("gone");
      },
    );
  };
  try {
    try {
      leg = await caller.call.answer({ offer, onEvent });
    } catch (error) {
      log.info({ err: error }, "a call was dropped while the voicemail was answering it");
      return "gave-up";
    }
    const sound = await soundBeforeRecording(deps.store, caller.greetingName).catch((error: unknown) => {
      log.error({ err: error }, "a greeting could not be read; the default one is played");
      return soundBeforeRecording(deps.store, null);
    });
    const heard = answered.promise.then(() => announce(mediaPlane, legId, sound)).catch(() => "gone" as const);
    const tooLong = wait(longestBeforeMs, "gone" as const, { ref: false });
    if ((await Promise.race([gone.promise, heard, tooLong])) === "gone") return "heard-greeting";
    return await record(deps, caller, { legId, gone: gone.promise });
  } finally {
    // The last audio arrives before the leg is closed.
    await mediaPlane
      .close(legId)
      .catch((error: unknown) => log.warn({ err: error }, "a voicemail's leg could not be closed"));
    caller.closing.removeEventListener("abort", stop);
    caller.onSound(legId, null);
    await leg
      ?.hangUp()
      .catch((error: unknown) => log.warn({ err: error }, "a caller could not be notified of the call's end"));
  }
}

async function record(
  { mediaPlane, bounds, log }: VoicemailDeps,
  { file, onSound }: ServeCaller,
  { legId, gone }: { legId: string; gone: Promise<unknown> },
): Promise<Came> {
  const over = Promise.withResolvers<Came>();
  const beganMs = performance.now();
  const sound = followMessageSound();
  let quietMs = 0;
  let lookedMs = beganMs;
  onSound(legId, (samples) => {
    if (sound.add(samples)) quietMs = 0;
    file.append(samples).catch((error: unknown) => {
      log.error({ err: error }, "a message could not be fully written; the part on disk is kept");
      over.resolve("disk-failed");
    });
  });
  const taps = [{ id: legId, left: legId, right: null }];
  const tapped = mediaPlane.apply({ participants: [{ legId, hears: [] }], taps });
  await tapped.catch(() => over.resolve("was-recorded"));
  const look = setInterval(() => {
    const nowMs = performance.now();
    // After a stall here, the audio of that time hasn't been checked yet, so it doesn't count as silence.
    quietMs += Math.min(nowMs - lookedMs, 2 * lookEveryMs);
    lookedMs = nowMs;
    if (quietMs >= bounds.quietMs || nowMs - beganMs >= bounds.longestMs) over.resolve("was-recorded");
  }, lookEveryMs);
  try {
    return await Promise.race([over.promise, gone.then(() => "was-recorded" as const)]);
  } finally {
    clearInterval(look);
  }
}
