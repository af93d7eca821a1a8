import type { URI } from "sip.js/lib/grammar/index.js";

import type { TrunkSettings } from "../settings.ts";
import type { Trunk } from "../trunk.ts";

export const dialledAs = (format: TrunkSettings["numberFormat"], number: string): string =>
  format === "+e164" ? number : number.replace(/^\+/, "");

/** How an INVITE says who calls: a bought number, or else the one of the settings, where the trunk wants it. */
export function callerShown(trunk: Trunk, bought: string | null): { from: { from?: URI }; headers: string[] } {
  const { authentication, callerId, callerIdHeader, numberFormat, numbers } = trunk.settings;
  const hasAccount = authentication !== "ip";
  // Without an account From has nothing else to say, and few trunks take a call from nobody.
  const number = bought ?? callerId ?? (hasAccount ? undefined : numbers[0]);
  if (number === undefined) return { from: {}, headers: [] };
  const uri = trunk.uriOf(dialledAs(numberFormat, number));
  const headers = {
    from: [],
    "p-asserted-identity": [`P-Asserted-Identity: <${uri}>`],
    "remote-party-id": [`Remote-Party-ID: <${uri}>;party=calling;screen=yes;privacy=off`],
  }[callerIdHeader];
  return { from: callerIdHeader === "from" || !hasAccount ? { from: uri } : {}, headers };
}
