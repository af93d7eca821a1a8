import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { useQuery } from "@tanstack/react-query";
import { numberUseQuery } from "../../data/phone-numbers-query.ts";

/** What calls go through instead of the number's own carrier, and so show another number; null where they do, or it's not known. */
export function useCarrierElsewhere({ accountId }: Pick<PhoneNumber, "accountId">): string | null {
  const use = useQuery(numberUseQuery).data;
  if (!use) return null;
  const isUsed = accountId === null ? use.usesNumbers : use.accountId === accountId;
  return isUsed ? null : use.carrier;
}

/** In the middle of a sentence. */
export const placeOfNumber = ({ accountId, provider }: Pick<PhoneNumber, "accountId" | "provider">): string =>
  accountId === null ? "in the sandbox" : `at ${provider}`;
