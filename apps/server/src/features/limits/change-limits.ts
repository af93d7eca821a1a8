import type { Limits, UpdateLimitsInput } from "@leadline/contract/limits";
import { isSupportedCountry } from "libphonenumber-js/max";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { readLimits, writeLimits } from "./limits.table.ts";

export const getLimits = (database: Database, caller: Member): Promise<Limits> =>
  database.withTransaction({ userId: caller.userId, organisationId: caller.organisation.id }, (tx) =>
    readLimits(tx, caller.organisation.id),
  );

/** They hold from the next call on; calls that live go on. */
export async function changeLimits(
  database: Database,
  caller: Member,
  change: z.output<typeof UpdateLimitsInput>,
): Promise<Limits> {
  const organisationId = caller.organisation.id;
  const countries = change.allowedCountries && [...new Set(change.allowedCountries)].toSorted();
  if (countries?.some((country) => !isSupportedCountry(country))) {
    throw invalidInput([{ path: ["allowedCountries"], message: "Choose countries that have phone numbers." }]);
  }
  return database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    await writeLimits(tx, organisationId, { ...change, ...(countries && { allowedCountries: countries }) });
    return readLimits(tx, organisationId);
  });
}
