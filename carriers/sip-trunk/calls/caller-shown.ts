import type { DialRequest } from "@leadline/adapter-kit/carrier";
import type { ShownNumber } from "@leadline/adapter-kit/shown-number";
import type { URI } from "sip.js/lib/grammar/index.js";

import type { TrunkSettings } from "../settings.ts";
import type { Trunk } from "../trunk.ts";

export const dialledAs = (format: TrunkSettings["numberFormat"], number: string): string =>
  format === "+e164" ? number : number.replace(/^\+/, "");

/** The number from the settings that callees see: without an account, there is nothing else to put into From. */
const numberOfSettings = ({ authentication, callerId, numbers }: TrunkSettings): string | null =>
  callerId ?? (authentication === "ip" ? (numbers[0] ?? null) : null);

/** That number, the trunk's others, and the servers at which they may need verification. */
export function shownNumber({ settings, targets }: Trunk): ShownNumber | null {
  const number = numberOfSettings(settings);
  const others = settings.numbers.filter((each) => each !== number);
  const servers = targets.servers();
  return servers.length === 0 || (number === null && others.length === 0) ? null : { number, others, servers };
}

/**
 * How an INVITE to this server identifies the caller: a bought number, otherwise the one from the settings, in the
 * header that the trunk wants. An unverified number is left out.
 */
export function callerShown(
  trunk: Trunk,
  { callerId: bought, proven = [] }: Pick<DialRequest, "callerId" | "proven">,
  at: { server: string; vouchedFor: boolean },
): { from: { from?: URI }; headers: string[] } {
  const { callerIdHeader, numberFormat, authentication } = trunk.settings;
  const ofSettings = numberOfSettings(trunk.settings);
  const isProven = proven.some(
    ({ number, server }) => number === ofSettings && (server === null || server === at.server),
  );
  const number = bought ?? (at.vouchedFor || isProven ? ofSettings : null);
  if (number === null) return { from: {}, headers: [] };
  const uri = trunk.uriOf(dialledAs(numberFormat, number));
  const headers = {
    from: [],
    "p-asserted-identity": [`P-Asserted-Identity: <${uri}>`],
    "remote-party-id": [`Remote-Party-ID: <${uri}>;party=calling;screen=yes;privacy=off`],
  }[callerIdHeader];
  return { from: callerIdHeader === "from" || authentication === "ip" ? { from: uri } : {}, headers };
}
