import type { CarrierState } from "@leadline/adapter-kit/carrier";

import type { RegistrationRefusal, RegistrationState } from "./registration.ts";
import { serversIn } from "./servers.ts";
import type { TrunkSettings } from "./settings.ts";
import { askedOf } from "./targets.ts";
import type { Trunk } from "./trunk.ts";

export const unknownChallenge = (status: number): string =>
  `It uses an authentication scheme that Leadline doesn’t support (${status}). See the SIP trace for details.`;

/** Why a server didn't register us, and what to do about it, for an owner. */
export function whyNotRegistered({ sip, redirectedTo, isChallengeUnknown }: RegistrationRefusal): string {
  if (isChallengeUnknown) return unknownChallenge(sip);
  if (sip >= 300 && sip < 400)
    return redirectedTo === null
      ? `It redirects elsewhere (${sip}) without saying where. Ask your provider for the right server.`
      : `It redirects to ${redirectedTo} (${sip}). If your provider confirms this, enter it as the server.`;
  switch (sip) {
    case 200:
      return "It accepted the request, but didn’t keep the registration (expires=0). Ask your provider whether the account can register.";
    case 401:
    case 403:
    case 407:
      return "Check the user and the password.";
    case 404:
      return "It doesn’t recognise this user.";
    case 408:
      return "It timed out waiting for another server (408). We keep trying.";
    case 423:
      return "It rejects the registration interval as too brief (423). Ask your provider for the minimum.";
    case 480:
      return "It says the account is temporarily unavailable (480). Ask your provider whether it’s active. We keep trying.";
    case 503:
      return "It’s overloaded or out of service (503). We keep trying. If it continues, ask your provider.";
    default:
      return whyByClass(sip);
  }
}

function whyByClass(sip: number): string {
  if (sip >= 600) return `It refuses to register this account anywhere (${sip}). Ask your provider why.`;
  if (sip >= 500) return `It reported an internal error (${sip}). We keep trying. If it continues, ask your provider.`;
  return `It answered ${sip}. Ask your provider what that means for your account.`;
}

/** Whether all known addresses of the trunk are in private networks that the operator doesn't allow. */
export function isPrivate({ targets, transport }: Trunk): boolean {
  const known = targets.known();
  return known.length > 0 && !known.some(({ address }) => transport.mayReach(address));
}

/** For the owner and the administrator. */
export const whyPrivate = (asked: string): string =>
  `${asked} is in a private network, which Leadline blocks by default. Set PRIVATE_NETWORKS to your PBX’s network, such as PRIVATE_NETWORKS=192.168.1.0/24, and restart the server.`;

/** How many of the trunk's targets are alive, judging by the last request to each, including calls. */
export function countReached({ targets }: Pick<Trunk, "targets">): NonNullable<TrunkStanding["reachable"]> {
  const known = targets.known();
  const reached = known.filter((target) => !targets.isSilent(target));
  return {
    reached: reached.length,
    of: known.length === 0 ? 0 : known.length + targets.notLocated().length,
    isHeard: known.some((target) => targets.heardAtMs(target) !== null),
    isUntried: known.some(targets.isUntried),
  };
}

export interface TrunkStanding {
  settings: Pick<TrunkSettings, "host" | "outboundProxy">;
  /** Null if this trunk has no registration. */
  registration: RegistrationState | null;
  /**
   * Null before the first check. isHeard: whether one of them has ever sent anything. isUntried: whether one of them
   * has only ignored OPTIONS so far.
   */
  reachable: { reached: number; of: number; isHeard: boolean; isUntried: boolean } | null;
  /** Another process of this installation registers there. */
  isRegisteredElsewhere?: boolean;
  isPrivate?: boolean;
  /** Its servers are another organisation's. */
  isTaken?: boolean;
}

/** The trunk's state in one sentence. */
export function trunkState({
  settings,
  registration,
  reachable,
  isRegisteredElsewhere,
  isPrivate: refused,
  isTaken,
}: TrunkStanding): CarrierState {
  const { host } = settings;
  const asked = askedOf(settings);
  const areSeveral = serversIn(asked).length > 1;
  if (isTaken === true)
    return {
      level: "down",
      sentence: `${asked} leads to a server that another organisation on this server uses, so no calls go there. If it’s yours, ask the administrator of this server.`,
    };
  if (refused === true) return { level: "down", sentence: whyPrivate(asked) };
  if (registration?.status === "refused")
    return {
      level: "down",
      sentence: `${registration.by} rejected our registration. ${whyNotRegistered(registration)}`,
    };
  if (reachable?.of === 0) {
    const lacks = areSeveral ? `None of ${asked} has an address.` : `${asked} has no address.`;
    return { level: "down", sentence: `${lacks} Check the server’s name.` };
  }
  // It may only ignore our OPTIONS, and answer the other process's registration.
  if (isRegisteredElsewhere === true && reachable?.reached === 0 && !reachable.isHeard)
    return {
      level: "partly",
      sentence: `Another process of this server registers at ${asked}, which hasn’t answered this process. Make a test call to be sure.`,
    };
  if (reachable?.reached === 0 && reachable.isUntried && !registration)
    return {
      level: "partly",
      sentence: `No answer from ${asked} so far. Some trunks only answer calls: make a test call to be sure.`,
    };
  if (reachable?.reached === 0 || registration?.status === "unreachable") {
    const silent = areSeveral ? `None of ${asked} answers.` : `${asked} does not answer.`;
    return { level: "down", sentence: `${silent} We keep trying.` };
  }
  if (!reachable || registration?.status === "registering")
    return { level: "starting", sentence: `Reaching ${asked}.` };
  const registered = registration ? "Registered" : "Connected";
  const silent = reachable.of - reachable.reached;
  if (silent > 0) {
    const answer = silent === 1 ? "does not answer" : "do not answer";
    return { level: "partly", sentence: `${registered}, but ${silent} of ${reachable.of} servers ${answer}.` };
  }
  if (!registration && !reachable.isHeard)
    return { level: "working", sentence: `Ready to call through ${asked}, which isn’t checked.` };
  return { level: "working", sentence: `${registered} at ${registration?.at ?? host}.` };
}
