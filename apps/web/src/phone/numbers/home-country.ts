import { type CountryCode, isSupportedCountry } from "libphonenumber-js/min";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";

/** A number typed without a plus sign is assumed to be in this country: the organisation's, as on the server. */
export function homeCountry(): CountryCode {
  const country = queryClient.getQueryData(meQuery.queryKey)?.activeOrganisation?.defaultCountry;
  return country !== undefined && isSupportedCountry(country) ? country : "US";
}
