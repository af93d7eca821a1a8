import type { Call } from "@leadline/contract/calls";
import { leadOfCall } from "../../components/lead-names.ts";
import { type OtherEnd, otherEnd } from "../../components/other-end.ts";
import { useNumberFormat } from "../numbers/use-formatted-number.ts";

/** The other party of a call: the lead's name, otherwise the number as shown. */
export function useWho(): (call: OtherEnd & Pick<Call, "leads">) => string {
  const format = useNumberFormat({ needed: true });
  return ({ leads, ...end }) => leadOfCall(leads) ?? otherEnd(end, format);
}
