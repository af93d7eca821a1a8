import { isSupportedCountry, type CountryCode } from "libphonenumber-js/max";
import type { Tx } from "../../db/transaction.ts";
import { findDefaultCountry } from "./organisations.table.ts";

/** The country of phone numbers without a country code. */
export async function defaultCountryOf(tx: Tx, organisationId: string): Promise<CountryCode> {
  const country = await findDefaultCountry(tx, organisationId);
  return isSupportedCountry(country) ? country : "US";
}
