import type { NumberType } from "@leadline/adapter-kit/provisioner";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";

export function typeOfNumber(number: string): NumberType {
  const type = parsePhoneNumberFromString(number)?.getType();
  return type === "TOLL_FREE" ? "toll-free" : type === "MOBILE" ? "mobile" : "local";
}
