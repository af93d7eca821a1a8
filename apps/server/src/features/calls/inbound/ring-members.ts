import type { InboundCall } from "@leadline/adapter-kit/carrier";
import type { CallDeps } from "../call-deps.ts";
import { newCallSid } from "../new-call-sid.ts";
import type { RingingCall } from "./ringing-calls.ts";
import { endsUnanswered, stopRinging } from "./stop-ringing.ts";
import { readAvailability } from "./teammate-availability.ts";
import { recordInboundCall } from "./record-inbound-call.ts";

export interface Through {
  organisationId: string;
  carrier: string;
  connectionId: string;
}

/**
 * Rings in the tabs of every eligible member. If there are none, the organisation is closed, or no media server
 * responds, voicemail answers. If voicemail is off, or too many calls ring already, the caller is refused and the call
 * listed as missed. A flood is refused without a listing and logged.
 */
export async function ringMembers(deps: CallDeps, call: InboundCall, through: Through): Promise<void> {
  const { organisationId, carrier, connectionId } = through;
  if (!deps.inboundRateLimit.count(organisationId)) return call.refuse("overloaded");
  const callSid = newCallSid();
  const came = { callSid, organisationId, carrier, connectionId, call };
  const { free, present } = readAvailability(deps, organisationId);
  const others = deps.ringingCalls
    .all()
    .filter(
      ({ state, memberId, ...ringing }) =>
        ringing.organisationId === organisationId && memberId === null && state === "ringing",
    );
  const tooMany = others.length >= deps.maxRinging;
  if (tooMany)
    deps.log.warn(
      { organisationId, maxRinging: deps.maxRinging },
      "more calls ring than INBOUND_CALLS_RINGING allows: refused with 503",
    );
  const mayRing = free.size > 0 && !tooMany;
  const unheard = mayRing && !deps.mediaPlane.carriesBrowsers();
  const rings = mayRing && !unheard;
  const why = tooMany
    ? "too-many-calls"
    : unheard
      ? "no-media-server"
      : present.size === 0
        ? "nobody-there"
        : "nobody-free";
  const voicemailMs = tooMany ? null : deps.voicemail.ringMs(organisationId);
  if (!rings && (voicemailMs === null || (await voicemailMs) === null)) {
    const missed = endsUnanswered[why];
    call.refuse(missed.refuseAs);
    return recordInboundCall(deps, { ...came, missed });
  }
  const isOpen = voicemailMs === null ? Promise.resolve(true) : voicemailMs.then((ringMs) => ringMs !== 0);
  const written = isOpen.then((open) => recordInboundCall(deps, { ...came, missed: null, unannounced: !open }));
  written.catch(() => {});
  const ringing = deps.ringingCalls.begin({ callSid, organisationId, carrierId: carrier, call, written });
  call.onGivenUp(() => void stopRinging(deps, ringing, "given-up"));
  if (rings && (await isOpen)) {
    call.ring();
    ringForAWhile(deps, ringing, await voicemailMs);
  }
  try {
    await written;
  } catch (error) {
    // The row was never written, so no tab can be notified.
    deps.ringingCalls.forget(callSid);
    if (ringing.state === "ringing") call.refuse("nobody-there");
    ringing.state = "over";
    throw error;
  }
  if (!rings) await stopRinging(deps, ringing, why);
  else if (!(await isOpen)) await stopRinging(deps, ringing, "closed");
}

function ringForAWhile(deps: CallDeps, ringing: RingingCall, voicemailMs: number | null): void {
  if (!deps.ringingCalls.find(ringing.callSid)) return;
  ringing.ringTimer = setTimeout(() => void stopRinging(deps, ringing, "rung-out"), voicemailMs ?? deps.ringForMs);
}
