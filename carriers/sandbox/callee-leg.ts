import type { CarrierHangUpCause, CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import type { SoundCodec } from "@leadline/adapter-kit/rtp/g711";
import {
  answerRtpDescription,
  readRtpDescription,
  soundPayloadTypes,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";
import { parseRtpPacket, type RtpPacket, writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { createRtpSender } from "@leadline/adapter-kit/rtp/rtp-sender";
import { openRtpSocket } from "@leadline/adapter-kit/rtp/rtp-socket";
import { createKeyListener } from "@leadline/adapter-kit/rtp/telephone-event";
import { tickMs } from "@leadline/adapter-kit/rtp/ticker";

import { type Callee, hungUpThere } from "./callees.ts";
import type { Speech } from "./speech.ts";
import { startTalk, type Voice } from "./talk.ts";

const host = "127.0.0.1";
/** The refusal that a caller gets if there is no common codec (RFC 3261, section 21.4.26). */
const noCommonCodec = { reason: "rejected", sip: 488, q850: 88 } as const;
const noPortLeft = { reason: "network-failure", sip: 503, q850: 38 } as const;

export interface CalleeLeg {
  /** Every 20 ms: keeps ringing, answers, or sends its next 20 ms of audio. */
  tick(): void;
  hangUp(): void;
  /** Replaces us with the other callee, which must have answered. Returns whether it did. */
  isReplaced(): boolean;
}

/** Simulates one callee. It counts time in the thread's ticks, so that a hundred callees share one clock. */
export function startCalleeLeg(options: {
  callee: Callee;
  offer: string;
  speech: Speech;
  onEvent: (event: CarrierLegEvent) => void;
}): CalleeLeg {
  const { callee, speech } = options;
  let ticks = 0;
  let over = false;
  let stopSound = (): void => {};
  let voice: Voice | null = null;
  let sendNext = (): void => {};
  let holds = false;

  function end(cause: CarrierHangUpCause): void {
    if (over) return;
    hangUp();
    options.onEvent({ type: "ended", cause });
  }

  function hangUp(): void {
    over = true;
    stopSound();
  }

  async function answer(): Promise<void> {
    const caller = readRtpDescription(options.offer);
    const codec = caller?.codecs[0];
    if (!caller || codec === undefined) return end(noCommonCodec);

    const socket = await openRtpSocket(host);
    if (over) return void socket.close();

    const sender = createRtpSender();
    const detectKey = createKeyListener();
    const send = (packet: RtpPacket): void => socket.send(writeRtpPacket(packet), caller.port, caller.host);
    socket.on("message", (datagram, from) => {
      const packet = parseRtpPacket(datagram);
      if (!packet || from.port !== caller.port) return;
      if (packet.payloadType === caller.telephoneEventType) {
        const key = detectKey(packet);
        if (key !== null) voice?.hearKey(key);
      } else if (callee.talk === "echoes" && packet.payloadType === soundPayloadTypes[codec]) {
        send(sender.sound(packet.payloadType, packet.payload));
      }
    });
    stopSound = () => socket.close();
    voice = startTalk(callee.talk ?? "speaks", codec, speech);
    sendNext = () => sendSound(codec, send, sender);

    const ours = answerRtpDescription(caller, { host, port: socket.address().port });
    ticks = 0;
    options.onEvent({ type: "answered", answer: writeRtpDescription(ours) });
  }

  function sendSound(
    codec: SoundCodec,
    send: (packet: RtpPacket) => void,
    sender: ReturnType<typeof createRtpSender>,
  ): void {
    const payload = holds ? null : voice?.nextPayload();
    if (payload) send(sender.sound(soundPayloadTypes[codec], payload));
    const lastTick = callee.hangsUpAfterMs === undefined ? Infinity : callee.hangsUpAfterMs / tickMs;
    if (ticks >= lastTick || voice?.isDone()) end(hungUpThere);
  }

  function holdOrResume({ from, to }: { from: number; to: number }): void {
    const atMs = ticks * tickMs;
    if (holds === (atMs >= from && atMs < to)) return;
    holds = !holds;
    options.onEvent({ type: holds ? "held" : "resumed" });
  }

  function stopRinging(): void {
    ringing = false;
    if (callee.refuses) end(callee.refuses);
    else answer().catch(() => end(noPortLeft));
  }

  let ringing = true;
  if (!callee.refuses || callee.ringMs > 0) options.onEvent({ type: "ringing" });
  // Deferred until the caller has this leg.
  if (callee.ringMs === 0) queueMicrotask(stopRinging);

  return {
    hangUp,
    isReplaced() {
      const talks = !over && voice !== null;
      if (talks) end(hungUpThere);
      return talks;
    },
    tick() {
      if (over) return;
      ticks++;
      if (!ringing && voice && callee.holdsMs) holdOrResume(callee.holdsMs);
      if (!ringing) sendNext();
      else if (ticks >= callee.ringMs / tickMs) stopRinging();
    },
  };
}
