import type { NumberType, Provisioner } from "@leadline/adapter-kit/provisioner";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Problem } from "../../../http/problem.ts";

/** As its vendor lists it, because its requirements are those of that type. Rejects if the vendor doesn't say. */
export async function readTypeOfNumber(
  provisioner: Pick<Provisioner, "typeOf">,
  { number, countryCode, vendorName }: { number: string; countryCode: string; vendorName: string },
): Promise<NumberType> {
  const type = await provisioner.typeOf(number, countryCode);
  if (type !== null) return type;
  throw new Problem(
    "carrier-refused",
    `${vendorName} doesn’t say which type of number ${number} is, so its country’s requirements can’t be checked. Choose another number.`,
  );
}

/** For an order that was stored without its type. */
export function guessTypeOfNumber(number: string): NumberType {
  const type = parsePhoneNumberFromString(number)?.getType();
  return type === "TOLL_FREE" ? "toll-free" : type === "MOBILE" ? "mobile" : "local";
}
