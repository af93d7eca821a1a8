import { countryOptions } from "../../components/country-options.ts";

/** The most likely country for a browser language: AT for "de-AT", DE for "de". Undefined if unknown. */
export function countryOfLanguage(language: string): string | undefined {
  const region = regionOf(language);
  return countryOptions.some(({ value }) => value === region) ? region : undefined;
}

/**
 * Some browsers report invalid language tags, such as "en-US@posix". They must not stop anyone from creating an
 * organisation.
 */
function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region;
  } catch {
    return undefined;
  }
}
