import type { DialRequest } from "@leadline/adapter-kit/carrier";
import type { ShownNumber } from "@leadline/adapter-kit/shown-number";
import type { URI } from "sip.js/lib/grammar/index.js";

import { numberInUser } from "../number-in-user.ts";
import type { TrunkSettings } from "../settings.ts";
import type { Trunk } from "../trunk.ts";

export const dialledAs = (format: TrunkSettings["numberFormat"], number: string): string =>
  format === "+e164" ? number : number.replace(/^\+/, "");

/** The number from the settings that callees see: without an account, there is nothing else to put into From. */
function numberOfSettings(settings: TrunkSettings): string | null {
  const { authentication, callerId, numbers } = settings;
  return callerId ?? (authentication === "ip" ? (numbers[0] ?? null) : numberInUser(settings));
}

/** That number, the trunk's others, and the servers at which they may need verification. */
export function shownNumber({ settings, targets }: Trunk): ShownNumber | null {
  const number = numberOfSettings(settings);
  const others = [...settings.numbers, numberInUser(settings)]
    .filter((each) => each !== null)
    .filter((each) => each !== number);
  const servers = targets.servers();
  return servers.length === 0 || (number === null && others.length === 0) ? null : { number, others, servers };
}

/**
 * How an INVITE to this server identifies the caller: a bought number, otherwise the one from the settings, in the
 * header that the trunk wants. An unverified number is left out.
 */
export function callerShown(
  trunk: Trunk,
  { callerId: bought, verifiedNumbers = [] }: Pick<DialRequest, "callerId" | "verifiedNumbers">,
  at: { server: string; vouchedFor: boolean },
): { from: { from?: URI }; headers: string[] } {
  const { callerIdHeader, numberFormat, authentication, authenticationUser } = trunk.settings;
  const mayShow = (shown: string | null): boolean =>
    at.vouchedFor ||
    verifiedNumbers.some(({ number, server }) => number === shown && (server === null || server === at.server));
  const ofUser = numberInUser(trunk.settings);
  const account = ofUser === null || mayShow(ofUser) ? {} : { from: trunk.uriOf(authenticationUser ?? "leadline") };
  const ofSettings = numberOfSettings(trunk.settings);
  const number = bought ?? (mayShow(ofSettings) ? ofSettings : null);
  if (number === null) return { from: account, headers: [] };
  const uri = trunk.uriOf(dialledAs(numberFormat, number));
  const headers = {
    from: [],
    "p-asserted-identity": [`P-Asserted-Identity: <${uri}>`],
    "remote-party-id": [`Remote-Party-ID: <${uri}>;party=calling;screen=yes;privacy=off`],
  }[callerIdHeader];
  return { from: callerIdHeader === "from" || authentication === "ip" ? { from: uri } : account, headers };
}
