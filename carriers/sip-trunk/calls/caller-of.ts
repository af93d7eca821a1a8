import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { readVerstat } from "@leadline/adapter-kit/read-verstat";
import type { CallerVerification } from "@leadline/contract/caller-verification";
import type { IncomingRequestMessage } from "sip.js/lib/core/index.js";
import { NameAddrHeader } from "sip.js/lib/grammar/index.js";

import { readNameAddress, splitOutsideQuotes, VerbatimUri, withoutSeparators } from "../signalling/verbatim-uri.ts";

type Caller = Required<Pick<InboundCall, "from" | "fromName" | "verification" | "forwardedBy">>;

const isWithheld = (user: string): boolean => user === "" || /^(anonymous|unknown|restricted|unavailable)$/i.test(user);

/**
 * Who calls: the network's identity if the trunk passes it on, in P-Asserted-Identity (RFC 3325) or Remote-Party-ID,
 * otherwise what the caller claims; and who forwarded the call (RFC 5806).
 */
export function callerOf(message: IncomingRequestMessage): Caller {
  const own = message.from instanceof NameAddrHeader ? message.from : null;
  const asserted = addressesIn(message, "p-asserted-identity");
  const calling = addressesIn(message, "remote-party-id").filter(isOfCaller);
  const told = numbered(asserted) ?? numbered(calling);
  const shown = told ?? own;
  const user = userOf(shown);
  const forwardedBy = forwarderOf(message);
  const isPrivate =
    /\b(id|user|header)\b/i.test(message.getHeader("privacy") ?? "") ||
    calling.some((each) => /^(full|uri)$/i.test(each.getParam("privacy") ?? ""));
  // From only counts if the network adds no identity of its own: there, a caller could vouch for itself.
  const verification = verificationOf(shown) ?? verificationOf(asserted.find((each) => isVerified(each, user)));
  if (isWithheld(user) || isPrivate) return { from: null, fromName: null, verification, forwardedBy };
  // Next to a number from the network, the name in From would look verified, but any caller can set it.
  return { from: user, fromName: shown?.displayName || null, verification, forwardedBy };
}

/** The header may also name the called party, in the same or a second value. */
const isOfCaller = (remoteParty: NameAddrHeader): boolean =>
  (remoteParty.getParam("party") ?? "calling").toLowerCase() === "calling";

const userOf = (address: NameAddrHeader | null | undefined): string => withoutSeparators(address?.uri.user ?? "");

const addressesIn = (message: IncomingRequestMessage, name: string): NameAddrHeader[] =>
  message
    .getHeaders(name)
    .flatMap((value) => splitOutsideQuotes(value, ","))
    .flatMap((each) => readNameAddress(each) ?? []);

/** It may contain both a name and a number: the number can be called back. */
const numbered = (addresses: readonly NameAddrHeader[]): NameAddrHeader | undefined =>
  addresses.find((each) => /^\+?\d+$/.test(userOf(each))) ?? addresses[0];

/**
 * The network's verification of the number's signature (3GPP TS 24.229, section 7.2A.20), in the user, the URI or the
 * header.
 */
function verificationOf(address: NameAddrHeader | null | undefined): CallerVerification | null {
  if (!address) return null;
  const { uri } = address;
  const ofUser = uri instanceof VerbatimUri ? uri.parts.userParameters.get("verstat") : undefined;
  return readVerstat(ofUser ?? uri.getParam("verstat") ?? address.getParam("verstat"));
}

/** Networks that assert a number twice, as a SIP and a tel URI, may write its verification into one of them. */
const isVerified = (asserted: NameAddrHeader, user: string): boolean =>
  userOf(asserted) === user && verificationOf(asserted) !== null;

/** The last forwarder comes first. */
function forwarderOf(message: IncomingRequestMessage): string | null {
  const [last] = addressesIn(message, "diversion");
  const user = userOf(last);
  const isPrivate = /^(full|uri)$/i.test(last?.getParam("privacy") ?? "");
  return isPrivate || isWithheld(user) ? null : user;
}
