import type { Call } from "@leadline/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { isAdmin, useOwnRole } from "../use-own-role.ts";
import { meQuery } from "../../data/me-query.ts";

/** Whether the person may change a call's disposition: their own calls, or as an admin any call. */
export function useMayWrite({ userId }: Pick<Call, "userId">): boolean {
  const me = useQuery(meQuery).data;
  const ownRole = useOwnRole();
  return ownRole !== "analyst" && (me?.id === userId || isAdmin(ownRole));
}
