import { useQuery } from "@tanstack/react-query";
import { numberUseQuery } from "../data/phone-numbers-query.ts";

/** What calls go through, where that neither shows nor rings the numbers bought here; null where it does, or is not known. */
export function useOtherCarrier(): string | null {
  const use = useQuery(numberUseQuery).data;
  return use && !use.usesNumbers ? use.carrier : null;
}
