import type { CarrierState } from "@leadline/adapter-kit/carrier";

import type { RegistrationRefusal, RegistrationState } from "./registration.ts";
import { serversIn } from "./servers.ts";
import type { TrunkSettings } from "./settings.ts";
import { askedOf } from "./targets.ts";
import type { Trunk } from "./trunk.ts";

/** Why a server didn't register us, and what to do about it, in an owner's words. */
export function whyNotRegistered({ sip, redirectedTo, isChallengeUnknown }: RegistrationRefusal): string {
  if (isChallengeUnknown)
    return `It asks for the password in a way that Leadline doesn’t support (${sip}). The trunk’s SIP trace shows how.`;
  if (sip >= 300 && sip < 400)
    return redirectedTo === null
      ? `It redirects us elsewhere (${sip}), and doesn’t say where. Ask your provider for the right server.`
      : `It redirects us to ${redirectedTo} (${sip}). If your provider says so too, type that as the server.`;
  switch (sip) {
    case 200:
      return "It accepted the request, but didn’t keep the registration (expires=0). Ask your provider whether the account may register.";
    case 401:
    case 403:
    case 407:
      return "Check the user and the password.";
    case 404:
      return "It does not know this user.";
    case 408:
      return "It got no answer from a server behind it in time (408). We keep trying.";
    case 423:
      return "It finds every registration too brief (423). Ask your provider how long one must be.";
    case 480:
      return "It says that the account is unavailable for now (480). Ask your provider whether it’s active. We keep trying.";
    case 503:
      return "It’s overloaded or out of service (503). We keep trying; if that lasts, ask your provider.";
    default:
      return whyByClass(sip);
  }
}

function whyByClass(sip: number): string {
  if (sip >= 600) return `It refuses to register this account anywhere (${sip}). Ask your provider why.`;
  if (sip >= 500)
    return `It failed with an error of its own (${sip}). We keep trying; if that lasts, ask your provider.`;
  return `It answered ${sip}. Ask your provider what that means for your account.`;
}

/** Whether all that is known of the trunk is in private networks that the operator does not allow. */
export function isPrivate({ targets, transport }: Trunk): boolean {
  const known = targets.known();
  return known.length > 0 && !known.some(({ address }) => transport.mayReach(address));
}

/** For the owner, and for whoever runs the server. */
export const whyPrivate = (asked: string): string =>
  `${asked} is in a private network, where Leadline calls nobody unless allowed. Start the server with PRIVATE_NETWORKS set to your PBX’s network, such as PRIVATE_NETWORKS=192.168.1.0/24.`;

/** How many of the trunk's targets are there, by what each was last asked, be it by a call. */
export function countReached({ targets }: Pick<Trunk, "targets">): NonNullable<TrunkStanding["reachable"]> {
  const known = targets.known();
  const reached = known.filter((target) => !targets.isSilent(target));
  return {
    reached: reached.length,
    of: known.length === 0 ? 0 : known.length + targets.notLocated().length,
    isHeard: reached.some((target) => targets.heardAtMs(target) !== null),
  };
}

export interface TrunkStanding {
  settings: Pick<TrunkSettings, "host" | "outboundProxy">;
  /** Null where this trunk is not registered with. */
  registration: RegistrationState | null;
  /** Null before anybody was asked. */
  reachable: { reached: number; of: number; isHeard: boolean } | null;
  isPrivate?: boolean;
  /** Its servers are now where another organisation's are. */
  isTaken?: boolean;
}

/** How the trunk stands, in one sentence. */
export function trunkState({
  settings,
  registration,
  reachable,
  isPrivate: refused,
  isTaken,
}: TrunkStanding): CarrierState {
  const { host } = settings;
  const asked = askedOf(settings);
  const areSeveral = serversIn(asked).length > 1;
  if (isTaken === true)
    return {
      level: "down",
      sentence: `${asked} now leads to a server that another organisation of this Leadline calls through, so no call goes there. Ask whoever runs this Leadline if it is yours.`,
    };
  if (refused === true) return { level: "down", sentence: whyPrivate(asked) };
  if (registration?.status === "refused")
    return { level: "down", sentence: `${registration.by} did not register us. ${whyNotRegistered(registration)}` };
  if (reachable?.of === 0) {
    const lacks = areSeveral ? `None of ${asked} has an address.` : `${asked} has no address.`;
    return { level: "down", sentence: `${lacks} Check the server's name for a mistake.` };
  }
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
    return { level: "working", sentence: `Ready to call by way of ${asked}, which is not checked.` };
  return { level: "working", sentence: `${registered} at ${registration?.at ?? host}.` };
}
