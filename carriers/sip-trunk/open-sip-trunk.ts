import { Resolver } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";

import type {
  Carrier,
  CarrierHangUpCause,
  CarrierLegEvent,
  CarrierListener,
  CarrierState,
} from "@leadline/adapter-kit/carrier";
import type { ClaimIdentity } from "@leadline/adapter-kit/carrier-identity";
import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";

import { shownNumber } from "./calls/caller-shown.ts";
import { causeForAccount } from "./calls/cause-of.ts";
import { dialLeg } from "./calls/dial-leg.ts";
import { resumeLeg } from "./calls/resume-leg.ts";
import { type ReceivedCall, receiveCall } from "./calls/inbound-call.ts";
import type { TrunkLeg } from "./calls/trunk-leg.ts";
import { checkTrunk } from "./check-trunk.ts";
import { identify } from "./identify.ts";
import { keepAlive } from "./keep-alive.ts";
import { keepRegistered } from "./registration.ts";
import type { TrunkSettings } from "./settings.ts";
import { createSipTrace } from "./sip-trace.ts";
import type { DnsResolver } from "./transport/locate.ts";
import type { SipTarget } from "./transport/sip-target.ts";
import { logDropped } from "./transport/log-dropped.ts";
import { openTrunk } from "./trunk.ts";
import { countReached, isPrivate, trunkState } from "./trunk-state.ts";

const locatedWithinMs = 1_000;
/** A private address is only used if the operator allows it. */
const isPrivateAddress = (address: string): boolean => !isPublicAddress(address);
const carrierClosed: CarrierHangUpCause = { reason: "network-failure", sip: 503, q850: 38 };

export interface OpenSipTrunk {
  /** The system's resolver by default. */
  resolver?: DnsResolver;
  /** By default, what the operator allows. */
  mayReach?: (address: string) => boolean;
  /** Where caller IDs need no verification; by default, PBXs in the private networks that the operator has listed. */
  vouchesFor?: (address: string) => boolean;
  listener?: CarrierListener | undefined;
  /** Another process is registered, and owns the fixed port. */
  calledElsewhere?: boolean | undefined;
  claim?: ClaimIdentity | undefined;
}

/** Opens the trunk, located and registered as its settings say, until it is closed. */
export async function openSipTrunk(
  given: TrunkSettings,
  {
    resolver = new Resolver(),
    mayReach,
    vouchesFor = isPrivateAddress,
    listener,
    calledElsewhere = false,
    claim,
  }: OpenSipTrunk = {},
): Promise<Carrier> {
  const settings = calledElsewhere ? { ...given, localPort: 0 } : given;
  const legs = new Set<TrunkLeg>();
  const arriving = new Set<ReceivedCall>();
  let closed = false;
  /** As of the last keep-alive round; null before the first. */
  let reachedLast: number | null = null;
  let reported: CarrierState | null = null;
  // Peers may connect and disconnect before it exists.
  let registration: ReturnType<typeof keepRegistered> | null = null;

  const trace = logDropped(createSipTrace(), (dropped) => listener?.onDropped?.(dropped));
  const trunk = await openTrunk({
    settings,
    resolver,
    trace,
    mayReach,
    vouchesFor,
    mayUse: claim && (async (found) => claim(await identify(given, resolver, found))),
    onInvite(request, called) {
      const received = receiveCall(trunk, request, {
        called: called.user,
        onOver: () => arriving.delete(received),
        onAnswered: (leg) => legs.add(leg),
        onLegOver: (leg) => legs.delete(leg),
      });
      arriving.add(received);
      offerCall(received, closed ? undefined : listener);
    },
    onConnectionClosed: (target) => registration?.onConnectionClosed(target),
    onAudioRefused: (refused) => listener?.onAudioRefused?.(refused),
    onBack: () => reportState(),
  });
  // By then the addresses that may call us are known. If DNS is down, this resolves soon anyway.
  const located = trunk.targets.all().catch(() => []);
  await Promise.race([located, sleep(locatedWithinMs, undefined, { ref: false })]);

  if (settings.authentication === "register" && !calledElsewhere) registration = keepRegistered(trunk, reportState);
  const isChecked = settings.keepAlive !== "off";
  const alive = isChecked ? keepAlive(trunk, onRound) : null;

  function onRound(reached: SipTarget[]): void {
    const wasAway = reachedLast === 0;
    reachedLast = reached.length;
    // A registrar that was down may have lost our registration.
    if (wasAway && reached.length > 0) registration?.again();
    else registration?.onReached(reached);
    reportState();
  }

  const isRegistered = (): boolean => registration?.state().status === "registered";

  function state(): CarrierState {
    return trunkState({
      settings,
      registration: registration?.state() ?? null,
      isRegisteredElsewhere: calledElsewhere && settings.authentication === "register",
      reachable: isChecked && reachedLast === null && !isRegistered() ? null : countReached(trunk),
      isPrivate: isPrivate(trunk),
      isTaken: trunk.targets.isTaken(),
    });
  }

  function signInState() {
    const registered = registration?.state();
    return {
      refusedWith: registered?.status === "refused" ? registered.sip : null,
      hasCredentials: settings.authentication !== "ip",
    };
  }

  function reportState(): void {
    const now = state();
    if (closed || (reported?.level === now.level && reported.sentence === now.sentence)) return;
    reported = now;
    listener?.onState(now);
  }

  return {
    async dial({ onEvent, ...request }) {
      const explain = (event: CarrierLegEvent): void =>
        onEvent(event.type === "ended" ? { ...event, cause: causeForAccount(event.cause, signInState()) } : event);
      const leg = await dialLeg(trunk, { ...request, onEvent: explain }, () => legs.delete(leg));
      legs.add(leg);
      return leg;
    },
    async resume(request) {
      const leg = await resumeLeg(trunk, request, () => legs.delete(leg));
      legs.add(leg);
      return leg;
    },
    state,
    shownNumber: () => shownNumber(trunk),
    check: () => checkTrunk(trunk, registration, { calledElsewhere }),
    trace: trace.read,
    async close() {
      closed = true;
      alive?.stop();
      for (const received of arriving) received.giveUp();
      await Promise.all([registration?.close(), ...[...legs].map((leg) => leg.end(carrierClosed))]);
      trunk.core.dispose();
      await trunk.transport.close();
    },
  };
}

/** Passes the call to the listener, unless the INVITE itself must be refused. */
function offerCall(received: ReceivedCall, listener: CarrierListener | undefined): void {
  if (!received.isOurs) received.call.refuse("not-ours");
  else if (received.tooBrief) received.refuse(received.tooBrief);
  else if (!received.isServed) received.refuse({ statusCode: 488 });
  else if (listener) listener.onInbound(received.call);
  else received.call.refuse("nobody-there");
}
