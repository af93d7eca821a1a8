import type { Organisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../../data/members-query.ts";
import { phoneNumbersQuery } from "../../data/phone-numbers-query.ts";

export type InTheWay = { is: "owners" } | { is: "numbers"; count: number } | { is: "balance"; micros: number };

/**
 * Why the server would refuse to delete it, as far as this page knows: for an inactive organisation only the balance.
 * Null until known. If something can't be read, the server's refusal says it.
 */
export function useInTheWay({ balance }: Organisation, isActive: boolean): InTheWay[] | null {
  const members = useQuery({ ...membersQuery, enabled: isActive });
  const numbers = useQuery({ ...phoneNumbersQuery, enabled: isActive });
  if (members.isLoading || numbers.isLoading) return null;
  const found: InTheWay[] = [];
  if ((members.data?.filter(({ role }) => role === "owner").length ?? 0) > 1 && isActive) found.push({ is: "owners" });
  const count = isActive ? (numbers.data?.length ?? 0) : 0;
  if (count > 0) found.push({ is: "numbers", count });
  if (balance !== 0) found.push({ is: "balance", micros: balance });
  return found;
}
