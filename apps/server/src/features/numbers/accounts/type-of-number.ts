import type { NumberType, Provisioner } from "@leadline/adapter-kit/provisioner";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** As its vendor lists it, because requirements are those of that type. Otherwise as its digits suggest. */
export const readTypeOfNumber = async (
  provisioner: Pick<Provisioner, "typeOf">,
  { number, countryCode }: { number: string; countryCode: string },
): Promise<NumberType> => (await provisioner.typeOf(number, countryCode)) ?? guessTypeOfNumber(number);

export function guessTypeOfNumber(number: string): NumberType {
  const type = parsePhoneNumberFromString(number)?.getType();
  return type === "TOLL_FREE" ? "toll-free" : type === "MOBILE" ? "mobile" : "local";
}
