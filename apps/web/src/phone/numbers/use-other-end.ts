import { type OtherEnd, otherEnd } from "../../components/other-end.ts";
import { useNumberFormat } from "./use-formatted-number.ts";

/** Who is at the other end, with the number as it is until its country's groups are known. */
export function useOtherEnd(call: OtherEnd): string {
  const format = useNumberFormat({ needed: call.phoneNumber !== "" });
  return otherEnd(call, format);
}
