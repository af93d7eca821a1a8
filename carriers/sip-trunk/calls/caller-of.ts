import type { InboundCall } from "@leadline/adapter-kit/carrier";
import type { IncomingRequestMessage } from "sip.js/lib/core/index.js";
import { NameAddrHeader } from "sip.js/lib/grammar/index.js";

import { readNameAddress, splitOutsideQuotes, VerbatimUri, withoutSeparators } from "../signalling/verbatim-uri.ts";

type Caller = Required<Pick<InboundCall, "from" | "fromName" | "verified" | "forwardedBy">>;

const isWithheld = (user: string): boolean => user === "" || /^(anonymous|unknown|restricted|unavailable)$/i.test(user);

/**
 * Who calls: the network's own word where the trunk passes it on, by P-Asserted-Identity (RFC 3325) or Remote-Party-ID, before what the
 * caller wrote of itself; and who forwarded the call here (RFC 5806).
 */
export function callerOf(message: IncomingRequestMessage): Caller {
  const own = message.from instanceof NameAddrHeader ? message.from : null;
  const told =
    numbered(addressesIn(message, "p-asserted-identity")) ?? numbered(addressesIn(message, "remote-party-id"));
  const shown = told ?? own;
  const user = userOf(shown);
  const forwardedBy = forwarderOf(message);
  const isPrivate =
    /\b(id|user|header)\b/i.test(message.getHeader("privacy") ?? "") ||
    addressesIn(message, "remote-party-id").some((each) => /^(full|uri)$/i.test(each.getParam("privacy") ?? ""));
  // Of From only where the network writes no identity of its own: a caller could vouch for itself there.
  const verified = verifiedBy(shown);
  if (isWithheld(user) || isPrivate) return { from: null, fromName: null, verified, forwardedBy };
  // Beside a number that the network names, From's name would pass for the network's word: any caller can write one.
  return { from: user, fromName: shown?.displayName || null, verified, forwardedBy };
}

const userOf = (address: NameAddrHeader | null | undefined): string => withoutSeparators(address?.uri.user ?? "");

const addressesIn = (message: IncomingRequestMessage, name: string): NameAddrHeader[] =>
  message
    .getHeaders(name)
    .flatMap((value) => splitOutsideQuotes(value, ","))
    .flatMap((each) => readNameAddress(each) ?? []);

/** It may name the caller twice, by name and by number: the number is what can be called back. */
const numbered = (addresses: readonly NameAddrHeader[]): NameAddrHeader | undefined =>
  addresses.find((each) => /^\+?\d+$/.test(userOf(each))) ?? addresses[0];

/** What the network found of the number's signature (3GPP TS 24.229, section 7.2A.20): of the user, the URI or the header. */
function verifiedBy(address: NameAddrHeader | null | undefined): boolean | null {
  if (!address) return null;
  const { uri } = address;
  const ofUser = uri instanceof VerbatimUri ? uri.parts.userParameters.get("verstat") : undefined;
  const verstat = ofUser ?? uri.getParam("verstat") ?? address.getParam("verstat");
  // B and C say that the call came by a known way, and nothing of the number.
  return verstat ? /^TN-Validation-Passed(-A)?$/i.test(verstat) : null;
}

/** The last to forward it stands first. */
function forwarderOf(message: IncomingRequestMessage): string | null {
  const [last] = addressesIn(message, "diversion");
  const user = userOf(last);
  const isPrivate = /^(full|uri)$/i.test(last?.getParam("privacy") ?? "");
  return isPrivate || isWithheld(user) ? null : user;
}
