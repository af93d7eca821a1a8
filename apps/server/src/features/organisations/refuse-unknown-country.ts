import { isSupportedCountry } from "libphonenumber-js/max";
import { invalidInput } from "../../http/read-input.ts";

/** In a country without phone numbers none could be parsed. */
export function refuseUnknownCountry(defaultCountry: string | undefined): void {
  if (defaultCountry !== undefined && !isSupportedCountry(defaultCountry))
    throw invalidInput([{ path: ["defaultCountry"], message: "Choose a country." }]);
}
