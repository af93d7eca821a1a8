import { countryName } from "@leadline/contract/countries";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { isCostlyNumber } from "./costly-numbers.ts";
import { readLimitsWhileDialling, takeTurnAtLimits } from "./limits.table.ts";

/**
 * For the transaction that has just written a call down: it, too, is counted, and what is thrown here undoes it. Calls of an
 * organisation are counted one after the other, so that a burst is let through no further than a queue would be.
 */
export async function refuseOverLimits(tx: Tx, call: { organisationId: string; phoneNumber: string }): Promise<void> {
  // The second is carried out once the first has its turn: nothing is won by waiting to ask.
  const [, { limits, firstMinutes }] = await Promise.all([
    takeTurnAtLimits(tx, call.organisationId),
    readLimitsWhileDialling(tx, call.organisationId),
  ]);
  refuseNumber(call.phoneNumber, limits.allowedCountries);
  const { used } = limits;
  if (used.concurrentCalls > limits.concurrentCalls) {
    throw limitReached(
      `Your organisation has reached its limit of ${calls(limits.concurrentCalls, "simultaneous ")}. Wait until one ends`,
    );
  }
  if (used.callsPerMinute > limits.callsPerMinute) {
    throw limitReached(
      `Your organisation has reached its limit of ${calls(limits.callsPerMinute)} a minute. Wait a moment`,
      60,
    );
  }
  if (limits.dailySpend === 0) {
    const nothing = "Your organisation’s daily spending limit is $0, which blocks all calls.";
    throw new Problem("limit-reached", `${nothing} An admin can raise it under Settings, Limits.`);
  }
  if (used.dailySpend >= limits.dailySpend || used.dailySpend + firstMinutes > limits.dailySpend) {
    throw limitReached("Daily spending limit reached. Try again tomorrow");
  }
}

const calls = (count: number, kind = ""): string => `${count} ${kind}${count === 1 ? "call" : "calls"}`;

const limitReached = (what: string, retryAfterSeconds?: number): Problem =>
  new Problem(
    "limit-reached",
    `${what}, or ask an admin to raise the limit under Settings, Limits.`,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );

const articled = /^United |Islands$|Republic$|^(Netherlands|Philippines|Bahamas|Maldives|Gambia|Comoros)$/;

/** The United Kingdom, but Germany. */
const inSentence = (name: string): string => (articled.test(name) ? `the ${name}` : name);

/** +1 is some twenty countries: the number decides, not its dial code. One of no country (+800, say) is never allowed. */
function refuseNumber(phoneNumber: string, allowedCountries: readonly string[]): void {
  if (isCostlyNumber(phoneNumber)) {
    throw new Problem(
      "number-blocked",
      "Leadline doesn’t call premium-rate, shared-cost, personal, pager or satellite numbers: they can cost many times more than an ordinary call.",
    );
  }
  const country = parsePhoneNumberFromString(phoneNumber)?.country;
  if (country !== undefined && allowedCountries.includes(country)) return;
  const where = country === undefined ? "numbers outside every country" : inSentence(countryName(country));
  const remedy = country === undefined ? "" : " An admin can allow them under Settings, Limits.";
  throw new Problem("country-not-allowed", `Your organisation doesn’t allow calls to ${where}.${remedy}`);
}
