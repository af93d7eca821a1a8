import { useQuery } from "@tanstack/react-query";
import { doNotCallOfQuery } from "../../data/do-not-call-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { wholeNumberOf } from "../numbers/whole-number.ts";

/** Whether the number on the pad, once it is complete, is on the do-not-call list. */
export function useIsOnDoNotCall(typed: string): boolean {
  const number = wholeNumberOf(typed);
  return Boolean(useQuery({ ...doNotCallOfQuery(number ?? ""), enabled: number !== null }, queryClient).data);
}
