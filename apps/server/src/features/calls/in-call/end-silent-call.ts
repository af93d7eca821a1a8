import type { LegStats } from "../../../media-plane/media-plane.ts";
import type { CallDeps } from "../call-deps.ts";
import { endCall } from "./end-call.ts";
import type { LiveCall } from "../live-calls.ts";

const mediaTimeout = { reason: "media-timeout", sip: null, q850: 102 } as const;

/** No audio is expected before the answer, on hold, or in a resumed call until its far end has responded. */
const isAudioExpected = (live: LiveCall): boolean =>
  live.answeredAtMs !== null &&
  live.seenBeforeAtMs === null &&
  live.hold === "off" &&
  live.farEndSends &&
  !live.farEndHolds;

/**
 * Ends a call whose far end should send audio and has sent no RTP packet for mediaTimeoutMs. Comfort noise counts as a
 * packet, RTCP doesn't, as in Asterisk's rtp_timeout. mediaTimeoutMs: null never ends a call.
 */
export function endSilentCall(
  deps: CallDeps,
  live: LiveCall,
  { sinceLastPacketMs }: Pick<LegStats, "sinceLastPacketMs">,
): void {
  const { mediaTimeoutMs } = deps;
  const now = performance.now();
  live.audioExpectedSinceMs = isAudioExpected(live) ? (live.audioExpectedSinceMs ?? now) : null;
  if (mediaTimeoutMs === null || live.audioExpectedSinceMs === null || live.ending) return;
  const silentMs = Math.min(sinceLastPacketMs ?? Infinity, now - live.audioExpectedSinceMs);
  if (silentMs < mediaTimeoutMs) return;
  deps.log.warn({ callSid: live.callSid, silentMs: Math.round(silentMs) }, "the far end stopped sending audio");
  void endCall(deps, live, mediaTimeout);
}
