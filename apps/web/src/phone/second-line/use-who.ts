import type { Call } from "@leadline/contract/calls";
import { leadOfCall } from "../../components/lead-names.ts";
import { withheldNumber } from "../../components/withheld-number.ts";
import { useNumberFormat } from "../numbers/use-formatted-number.ts";

/** Whom a call is with: the lead's name, else the number as it is shown. */
export function useWho(): (call: Pick<Call, "leads" | "phoneNumber">) => string {
  const format = useNumberFormat({ needed: true });
  return ({ leads, phoneNumber }) => leadOfCall(leads) ?? (phoneNumber === "" ? withheldNumber : format(phoneNumber));
}
