import { countryOptions } from "../../components/country-options.ts";

/** Where somebody with a browser in that language most likely is: "de-AT" and "de" are AT and DE. Undefined where unknown. */
export function countryOfLanguage(language: string): string | undefined {
  const region = regionOf(language);
  return countryOptions.some(({ value }) => value === region) ? region : undefined;
}

/** Some systems name a language as no standard does: Chromium on a bare Linux speaks "en-US@posix". */
function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language.split("@", 1)[0] ?? "").maximize().region;
  } catch {
    return undefined;
  }
}
