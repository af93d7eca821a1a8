import { setTimeout as sleep } from "node:timers/promises";
import { maxRates } from "@leadline/contract/rates";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { auditing, leadlineContext } from "../../db/audit-context.ts";
import type { Tx } from "../../db/transaction.ts";
import { dayNow } from "../organisations/time-zone.ts";
import { findReading, writeReading } from "./rate-readings.table.ts";
import type { RatedCall } from "./find-rate.ts";
import { raisedRates } from "./raised-rates.ts";
import type { RateDeps } from "./rate-deps.ts";
import {
  countRates,
  deleteReadRates,
  findRateInForce,
  lockRates,
  putRates,
  selectTypedPrefixes,
} from "./rates.table.ts";

/** How long a rate from the carrier's API stays fresh. */
const freshSeconds = 86_400;
/** A slow API must not delay a call for longer. */
const patienceMs = 2_000;

type RefreshDeps = Pick<RateDeps, "alertOwners" | "api" | "database" | "log">;

interface RatedNumber {
  organisationId: string;
  carrierId: string;
  phoneNumber: string;
  /** ISO 3166-1; null if the number is in none. */
  country: string | null;
}

/** Enough to tell prices apart, too few to be a person's number. */
const firstDigits = (phoneNumber: string): string => phoneNumber.replace(/^\+/, "").slice(0, 7);

/**
 * Asks the carrier's API, if it has one, about a number that it wasn't asked about today. Entered and imported rates
 * stay. After a failure existing rates stay too, because calls must continue while the API is down.
 */
export async function refreshRate(
  deps: RefreshDeps,
  { organisationId, phoneNumber, connection }: RatedCall,
): Promise<void> {
  if (connection === null) return;
  const number = { organisationId, phoneNumber, carrierId: connection.id };
  if (!(await deps.api.hasApi({ organisationId, carrierId: connection.id }))) return;
  const { country = null } = parsePhoneNumberFromString(phoneNumber) ?? {};
  const areas = [...(country === null ? [] : [country]), firstDigits(phoneNumber)];
  const { known, readSecondsAgo } = await deps.database.withTransaction({ organisationId }, async (tx) => ({
    known: await findRateInForce(tx, number),
    // A rate for fewer digits isn't this number's until the API was asked: states and countries share first digits.
    readSecondsAgo: await findReading(tx, number, areas),
  }));
  // An entered rate says nothing of longer prefixes.
  if (known && (readSecondsAgo ?? Infinity) < freshSeconds) return;
  const reading = readAndStore(deps, { ...number, country }).catch((error: unknown) =>
    deps.log.warn(
      { err: error, organisationId, prefix: phoneNumber.slice(0, 6) },
      "the carrier's rates could not be read",
    ),
  );
  // An outdated rate is good enough for now.
  if (known === null || readSecondsAgo === null)
    await Promise.race([reading, sleep(patienceMs, undefined, { ref: false })]);
}

async function readAndStore(
  deps: RefreshDeps,
  { organisationId, carrierId, phoneNumber, country }: RatedNumber,
): Promise<void> {
  const asked = { digits: phoneNumber.replace(/^\+/, ""), country };
  const { of, rates } = await deps.api.read({ organisationId, carrierId }, asked);
  const inDollars = rates.filter(({ currency, prefix }) => currency === "USD" && /^\d{1,15}$/.test(prefix));
  if (rates.length === 0) return;
  const change = (work: (tx: Tx) => Promise<void>): Promise<void> =>
    // A person's call may be the reason, but it's the carrier that changed its rates.
    auditing(leadlineContext("rate.read"), () => deps.database.withTransaction({ organisationId }, work));
  await change(async (tx) => {
    const label = await lockRates(tx, { organisationId, carrierId });
    if (label === null) return;
    const prefixes = inDollars.map(({ prefix }) => prefix);
    const effectiveFrom = await dayNow(tx, organisationId);
    const typed = await selectTypedPrefixes(tx, { organisationId, carrierId }, { prefixes, day: effectiveFrom });
    const news = inDollars.filter(({ prefix }) => !typed.has(prefix));
    // Each is replaced, by one of the news or by an entered rate in force.
    const before = await deleteReadRates(tx, { organisationId, carrierId }, prefixes);
    if ((await countRates(tx, { organisationId, carrierId })) + news.length > maxRates)
      throw new Error(`the carrier would have more than ${maxRates} rates`);
    const byPrefix = new Map(
      news.map(({ prefix, description, micros, incrementSeconds }) => [
        prefix,
        {
          prefix,
          description: description.slice(0, 100),
          effectiveFrom,
          perMinuteMicros: micros,
          connectionFeeMicros: 0,
          firstSeconds: incrementSeconds,
          nextSeconds: incrementSeconds,
        },
      ]),
    );
    const saved = await putRates(tx, { organisationId, carrierId }, [...byPrefix.values()], { fromCarrier: true });
    const sentences = raisedRates(label, { before, saved });
    const byLeadline = { organisation: { id: organisationId }, userId: null };
    if (sentences.length > 0)
      await deps.alertOwners(tx, byLeadline, {
        subject: `“${label}” charges more`,
        sentences,
        page: "/settings/carriers",
      });
    const area = of === "country" && country !== null ? country : firstDigits(phoneNumber);
    await writeReading(tx, { organisationId, carrierId }, area);
  });
}
