import { foldText } from "@leadline/contract/fold-text";
import type { Teammate } from "@leadline/contract/transfers";
import { useQuery } from "@tanstack/react-query";
import { queryClient } from "../../data/query-client.ts";
import { teammatesQuery } from "../../data/teammates-query.ts";

const inOrder: readonly Teammate["presence"][] = ["free", "in-call", "away"];
export const nameOf = ({ firstName, lastName }: Teammate): string => `${firstName} ${lastName}`;

export interface MatchingTeammates {
  shown: readonly Teammate[];
  /** Why they couldn't be loaded. */
  error: Error | null;
}

/** Teammates with the typed letters in their names, or all of them, available ones first. */
export function useMatchingTeammates(typed: string, { enabled }: { enabled: boolean }): MatchingTeammates {
  const { data, error } = useQuery({ ...teammatesQuery, enabled }, queryClient);
  const sought = /\p{L}/u.test(typed) ? foldText(typed.trim()) : "";
  const shown = (data ?? [])
    .filter((one) => foldText(nameOf(one)).includes(sought))
    .toSorted((one, other) => inOrder.indexOf(one.presence) - inOrder.indexOf(other.presence));
  return { shown, error: data ? null : error };
}
