import type { VendorResponse, VendorRequest } from "../vendor/serve-vendor.ts";
import { page } from "./answers.ts";

const url = "https://voice.twilio.com/v1/DialingPermissions/Countries";
const europe = { continent: "EUROPE", low_risk_numbers_enabled: false };
/** A few of the countries: the account can call the first. */
const countries = [
  {
    iso_code: "US",
    name: "United States/Canada",
    country_codes: ["+1"],
    continent: "NORTH_AMERICA",
    low_risk_numbers_enabled: true,
  },
  { ...europe, iso_code: "LV", name: "Latvia", country_codes: ["+371"] },
  { ...europe, iso_code: "MT", name: "Malta", country_codes: ["+356"] },
  { ...europe, iso_code: "SI", name: "Slovenia", country_codes: ["+386"] },
];

/** voice.twilio.com; null for a path that isn't its. */
export function answerPermissions({ path, query }: VendorRequest): VendorResponse | null {
  if (path !== "/v1/DialingPermissions/Countries") return null;
  const asked = query.get("LowRiskNumbersEnabled");
  const found = countries.filter((each) => asked === null || asked === String(each.low_risk_numbers_enabled));
  return page(
    url,
    "content",
    found.map((each) => ({
      ...each,
      high_risk_special_numbers_enabled: false,
      high_risk_tollfraud_numbers_enabled: false,
      url: `${url}/${each.iso_code}`,
      links: { highrisk_special_prefixes: `${url}/${each.iso_code}/HighRiskSpecialPrefixes` },
    })),
  );
}
