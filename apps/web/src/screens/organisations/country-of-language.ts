import { countryOptions } from "../../components/country-options.ts";

/** Where somebody with a browser in that language most likely is: "de-AT" and "de" are AT and DE. Undefined where unknown. */
export function countryOfLanguage(language: string): string | undefined {
  const { region } = new Intl.Locale(language).maximize();
  return countryOptions.some(({ value }) => value === region) ? region : undefined;
}
