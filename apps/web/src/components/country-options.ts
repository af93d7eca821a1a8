import { countryName } from "@leadline/contract/countries";
import { getCountries, getCountryCallingCode } from "libphonenumber-js/min";
import type { ComboboxOption } from "../ui/combobox.tsx";

/** Every country with phone numbers, by name; also found by its dial code and ISO code. */
export const countryOptions: readonly ComboboxOption[] = getCountries()
  .map((iso) => {
    const dialCode = `+${getCountryCallingCode(iso)}`;
    return { value: iso, label: `${countryName(iso)} ${dialCode}`, keywords: [iso] };
  })
  .toSorted((one, other) => one.label.localeCompare(other.label, "en"));
