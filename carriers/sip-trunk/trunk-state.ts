import type { CarrierState } from "@leadline/adapter-kit/carrier";

import type { RegistrationState } from "./registration.ts";
import { serversIn } from "./servers.ts";
import type { TrunkSettings } from "./settings.ts";
import { askedOf } from "./targets.ts";

/** What to do about a refusal, in an owner's words. */
export function whyRefused(sip: number): string {
  if (sip === 401 || sip === 403 || sip === 407) return "Check the user and the password.";
  if (sip === 404) return "It does not know this user.";
  return `It answered ${sip}.`;
}

export interface TrunkStanding {
  settings: Pick<TrunkSettings, "host" | "outboundProxy">;
  /** Null where this trunk is not registered with. */
  registration: RegistrationState | null;
  /** Null before anybody was asked. */
  reachable: { reached: number; of: number } | null;
}

/** How the trunk stands, in one sentence. */
export function trunkState({ settings, registration, reachable }: TrunkStanding): CarrierState {
  const { host } = settings;
  const asked = askedOf(settings);
  const areSeveral = serversIn(asked).length > 1;
  if (registration?.status === "refused")
    return { level: "down", sentence: `${registration.by} refused to register us. ${whyRefused(registration.sip)}` };
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
  return { level: "working", sentence: `${registered} at ${registration?.at ?? host}.` };
}
