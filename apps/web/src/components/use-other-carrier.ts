import { useQuery } from "@tanstack/react-query";
import { numberUseQuery } from "../data/phone-numbers-query.ts";

/** Whether calls reach the callees that a sandbox simulates: the installation's, or that of a vendor's account. */
export function useCallsSandbox(): boolean {
  return useQuery(numberUseQuery).data?.isSandbox ?? true;
}

/** The carrier in use, if it doesn't show or ring the numbers bought here; null if it does, or is unknown. */
export function useOtherCarrier(): string | null {
  const use = useQuery(numberUseQuery).data;
  return use && !use.usesNumbers ? use.carrier : null;
}
