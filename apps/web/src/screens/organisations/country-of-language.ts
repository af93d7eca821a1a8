import { countryOptions } from "../../components/country-options.ts";

/** Where somebody with a browser in that language most likely is: "de-AT" and "de" are AT and DE. Undefined where unknown. */
export function countryOfLanguage(language: string): string | undefined {
  const region = regionOf(language);
  return countryOptions.some(({ value }) => value === region) ? region : undefined;
}

/** Some browsers name what is no language tag, such as "en-US@posix"; that must keep nobody from an organisation. */
function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region;
  } catch {
    return undefined;
  }
}
