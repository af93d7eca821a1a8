import type { CarrierState } from "@leadline/adapter-kit/carrier";

import type { RegistrationState } from "./registration.ts";
import type { TrunkSettings } from "./settings.ts";

/** What to do about a refusal, in an owner's words. */
export function whyRefused(sip: number): string {
  if (sip === 401 || sip === 403 || sip === 407) return "Check the user and the password.";
  if (sip === 404) return "It does not know this user.";
  return `It answered ${sip}.`;
}

export interface TrunkStanding {
  settings: Pick<TrunkSettings, "host">;
  /** Null where this trunk is not registered with. */
  registration: RegistrationState | null;
  /** Null before anybody was asked. */
  reachable: { reached: number; of: number } | null;
}

/** How the trunk stands, in one sentence. */
export function trunkState({ settings, registration, reachable }: TrunkStanding): CarrierState {
  const { host } = settings;
  if (registration?.status === "refused")
    return { level: "down", sentence: `${host} refused to register us. ${whyRefused(registration.sip)}` };
  if (reachable?.of === 0)
    return { level: "down", sentence: `${host} has no address. Check the server's name for a mistake.` };
  if (reachable?.reached === 0 || registration?.status === "unreachable")
    return { level: "down", sentence: `${host} does not answer. We keep trying.` };
  if (!reachable || registration?.status === "registering") return { level: "starting", sentence: `Reaching ${host}.` };
  const registered = registration ? "Registered" : "Connected";
  if (reachable.reached < reachable.of)
    return {
      level: "partly",
      sentence: `${registered}, but ${reachable.of - reachable.reached} of ${reachable.of} servers do not answer.`,
    };
  return { level: "working", sentence: `${registered} at ${host}.` };
}
