import { costOfCall } from "@leadline/contract/cost-of-call";
import { countryName } from "@leadline/contract/countries";
import type { LimitName, MemberLimits } from "@leadline/contract/limits";
import type { limitProblems } from "@leadline/contract/problem";
import type { CallRate } from "@leadline/contract/rates";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Tx } from "../../db/transaction.ts";
import { inDollars } from "../../in-dollars.ts";
import { LimitBreached } from "./breaches/limit-breached.ts";
import { isCostlyNumber } from "./costly-numbers.ts";
import { type Caller, type LimitsAndUse, readLimits, takeTurnAtLimits, type Used } from "./limits.table.ts";

export interface LimitedCall extends Caller {
  /** E.164. */
  phoneNumber: string;
  /** Null: not known. Omitted: the price isn’t checked. */
  rate?: CallRate | null;
  /** Through the installation's sandbox or a vendor's, which reach no phone. */
  isSandbox?: boolean | undefined;
}

/**
 * A sandbox's own numbers can be called from every country, as a newcomer's first call goes there. 202-555-01xx is
 * reserved for fiction (NANPA).
 */
const isSandboxNumber = ({ isSandbox, phoneNumber }: LimitedCall): boolean =>
  isSandbox === true && /^\+120255501\d\d$/.test(phoneNumber);

/**
 * Counts the call that the transaction has just stored, or moved to another carrier, too. A thrown problem rolls it
 * back. An organisation's calls are checked one at a time, so a burst can't exceed the limits.
 */
export async function refuseOverLimits(tx: Tx, call: LimitedCall): Promise<void> {
  // Both queries go out at once on one connection, so the second runs after the first has its turn.
  const [, { organisation, member }] = await Promise.all([
    takeTurnAtLimits(tx, call.organisationId),
    readLimits(tx, call),
  ]);
  if (isCostlyNumber(call.phoneNumber)) {
    const sentence =
      "Leadline doesn’t call premium-rate, shared-cost, personal, pager or satellite numbers: they can cost many times more than an ordinary call.";
    throw breach(call, "costly-numbers", { code: "number-blocked", isMembers: false, sentence });
  }
  refuseDestination(call, ofOrganisation, organisation.limits);
  refuseDestination(call, ofMember, member.limits);
  refuseUse(call, ofOrganisation, organisation);
  refuseUse(call, ofMember, member);
  refuseUnpriced(call, { organisation, member });
}

/** A daily limit that someone has set can't count what has no price. The default one lets a new carrier's first call through. */
function refuseUnpriced(call: LimitedCall, { organisation, member }: LimitsAndUse): void {
  if (call.rate !== null) return;
  const isMembers = member.limits.dailySpend !== null;
  if (organisation.limits.dailySpendIsDefault && !isMembers) return;
  const whose = isMembers ? "You have" : "Your organisation has";
  const sentence = `${whose} a daily spending limit, which can’t count this call because its price isn’t known. An admin can add a rate for the number under Settings, Carriers, Rates.`;
  throw breach(call, "daily-spend", { code: "rate-unknown", isMembers, sentence });
}

/** Who the limit applies to, as the start of a sentence. */
interface Owner {
  isMembers: boolean;
  has: string;
  allows: string;
  daily: string;
}
const ofOrganisation: Owner = {
  isMembers: false,
  has: "Your organisation has reached its limit of",
  allows: "Your organisation doesn’t allow",
  daily: "Your organisation’s daily spending limit",
};
const ofMember: Owner = {
  isMembers: true,
  has: "You’ve reached your own limit of",
  allows: "Your own limits don’t allow",
  daily: "Your own daily spending limit",
};

function refuseDestination(call: LimitedCall, owner: Owner, limits: MemberLimits): void {
  const { isMembers, allows } = owner;
  const remedy = "An admin can allow them under Settings, Limits.";
  // +1 covers about twenty countries, so the whole number decides. A number without a country, such as +800, is never
  // allowed.
  const country = parsePhoneNumberFromString(call.phoneNumber)?.country;
  const isAllowed =
    limits.allowedCountries === null ||
    (country !== undefined && limits.allowedCountries.includes(country)) ||
    (!isMembers && isSandboxNumber(call));
  if (!isAllowed) {
    const sentence =
      country === undefined
        ? `${allows} calls to numbers outside every country.`
        : `${allows} calls to ${inSentence(countryName(country))}. ${remedy}`;
    throw breach(call, "countries", { code: "country-not-allowed", isMembers, sentence });
  }
  const prefix = limits.blockedPrefixes.find((blocked) => call.phoneNumber.startsWith(blocked));
  if (prefix !== undefined) {
    const sentence = `${allows} calls to numbers that start with ${prefix}. ${remedy}`;
    throw breach(call, "prefixes", { code: "prefix-blocked", isMembers, sentence });
  }
  refuseRate(call, owner, limits);
}

function refuseRate(call: LimitedCall, { isMembers, allows }: Owner, { ratePerMinute }: MemberLimits): void {
  if (ratePerMinute === null || call.rate === undefined) return;
  if (call.rate === null) {
    const sentence = `${allows} calls whose price isn’t known. An admin can add a rate for the number under Settings, Carriers, Rates.`;
    throw breach(call, "rate-per-minute", { code: "rate-unknown", isMembers, sentence });
  }
  // A low price can come with a high fee, or a long increment.
  const firstMinuteMicros = costOfCall(call.rate, 60_000);
  if (firstMinuteMicros <= ratePerMinute) return;
  const price = inDollars(firstMinuteMicros);
  const sentence = `${allows} calls that cost more than ${inDollars(ratePerMinute)} a minute, and this one costs ${price}. An admin can raise the limit under Settings, Limits.`;
  throw breach(call, "rate-per-minute", { code: "rate-too-high", isMembers, sentence });
}

function refuseUse(call: LimitedCall, owner: Owner, { limits, used }: { limits: MemberLimits; used: Used }): void {
  const { isMembers, has, daily } = owner;
  const refuse = (limit: LimitName, sentence: string, retryAfterSeconds?: number): never => {
    throw breach(call, limit, { code: "limit-reached", isMembers, sentence, retryAfterSeconds });
  };
  const { concurrentCalls, callsPerMinute, dailySpend } = limits;
  if (concurrentCalls !== null && used.concurrentCalls > concurrentCalls)
    refuse("concurrent-calls", `${has} ${calls(concurrentCalls, "simultaneous ")}. Wait until one ends${orAsk}`);
  if (callsPerMinute !== null && used.callsPerMinute > callsPerMinute)
    refuse("calls-per-minute", `${has} ${calls(callsPerMinute)} a minute. Wait a moment${orAsk}`, 60);
  if (dailySpend === 0)
    refuse("daily-spend", `${daily} is $0, which blocks all calls. An admin can raise it under Settings, Limits.`);
  if (dailySpend !== null && (used.dailySpend >= dailySpend || used.dailySpend + used.firstMinutes > dailySpend))
    refuse(
      "daily-spend",
      `${isMembers ? "You’ve reached your own daily spending limit" : "Daily spending limit reached"}. Try again tomorrow${orAsk}`,
    );
}

const orAsk = ", or ask an admin to raise the limit under Settings, Limits.";

const calls = (count: number, kind = ""): string => `${count} ${kind}${count === 1 ? "call" : "calls"}`;

const articled = /^United |Islands$|Republic$|^(Netherlands|Philippines|Bahamas|Maldives|Gambia|Comoros)$/;

/** "the United Kingdom", but "Germany". */
const inSentence = (name: string): string => (articled.test(name) ? `the ${name}` : name);

const breach = (
  { phoneNumber }: LimitedCall,
  limit: LimitName,
  {
    code,
    isMembers,
    sentence,
    retryAfterSeconds,
  }: {
    code: (typeof limitProblems)[number] | "rate-unknown";
    isMembers: boolean;
    sentence: string;
    retryAfterSeconds?: number | undefined;
  },
) => new LimitBreached(code, sentence, { limit, isMembers, phoneNumber, retryAfterSeconds });
