import type { Api } from "./client.ts";
import { answered } from "./refusals.ts";

const maxNamed = 4;

/**
 * Names the countries that the organisation may call, but that the account's dialing permissions exclude. Null if there
 * are none. They are only read: they apply to the whole account, which may have other uses.
 */
export async function describeClosedCountries({ client }: Api, allowed: readonly string[]): Promise<string | null> {
  const { countries } = client.voice.v1.dialingPermissions;
  const refused = await answered(countries.list({ lowRiskNumbersEnabled: false, pageSize: 1_000 }));
  const closed = refused.filter(({ isoCode }) => allowed.includes(isoCode));
  if (closed.length === 0) return null;
  const names = closed.slice(0, maxNamed).map(({ name }) => name);
  const more = closed.length - names.length;
  const listed = new Intl.ListFormat("en").format(more === 0 ? names : [...names, `${more} more`]);
  return `The account can’t call ${listed}. Allow ${closed.length === 1 ? "it" : "them"} in the Twilio Console under Voice, Geo permissions.`;
}
