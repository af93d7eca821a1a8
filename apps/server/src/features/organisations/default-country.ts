import { isSupportedCountry, type CountryCode } from "libphonenumber-js/max";
import type { Tx } from "../../db/transaction.ts";
import { findDefaultCountry } from "./organisations.table.ts";

/** Where the organisation's phone numbers are when they name no country. */
export async function defaultCountryOf(tx: Tx, organisationId: string): Promise<CountryCode> {
  const country = await findDefaultCountry(tx, organisationId);
  return isSupportedCountry(country) ? country : "US";
}
