import { type NumberRate } from "@leadline/contract/rates";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import { findRate } from "./find-rate.ts";
import type { RateDeps } from "./rate-deps.ts";
import { refreshRate } from "./refresh-rate.ts";

/** The current price of a call to the number, for a screen. */
export async function readNumberRate(deps: RateDeps, caller: Member, typed: string): Promise<NumberRate> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const { id: carrier, connection } = await deps.carrierOf(organisationId);
  const phoneNumber = await deps.database.withTransaction(scope, async (tx) => {
    const parsed = parsePhoneNumberFromString(typed, await defaultCountryOf(tx, organisationId));
    if (parsed?.isValid()) return parsed.number;
    throw new Problem(
      "phone-number-invalid",
      `“${typed}” is not a phone number. Include its country code, such as +1 202 555 0100.`,
    );
  });
  const call = { organisationId, phoneNumber, carrier, connection };
  await refreshRate(deps, call);
  return deps.database.withTransaction(scope, (tx) => findRate(tx, deps, call));
}
