import { type OtherEnd, otherEnd } from "../../components/other-end.ts";
import { useNumberFormat } from "./use-formatted-number.ts";

/** The other party, with its number unformatted until the plans have loaded. */
export function useOtherEnd(call: OtherEnd): string {
  const format = useNumberFormat({ needed: call.phoneNumber !== "" });
  return otherEnd(call, format);
}
