import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { useQuery } from "@tanstack/react-query";
import { numberUseQuery } from "../../data/phone-numbers-query.ts";

/**
 * The carrier that calls use instead of the number's own, and so show another number. Null if they use the same, or it
 * isn't known.
 */
export function useCarrierElsewhere({ accountId }: Pick<PhoneNumber, "accountId">): string | null {
  const use = useQuery(numberUseQuery).data;
  if (!use) return null;
  const isUsed = accountId === null ? use.usesNumbers : use.accountId === accountId;
  return isUsed ? null : use.carrier;
}

/** For use within a sentence. */
export const placeOfNumber = ({ accountId, provider }: Pick<PhoneNumber, "accountId" | "provider">): string =>
  accountId === null ? "in the sandbox" : `at ${provider}`;
