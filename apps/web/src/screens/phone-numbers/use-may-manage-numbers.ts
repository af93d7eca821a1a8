import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../data/me-query.ts";

/** Buying, labelling and releasing are for admins and owners; the server sees to it too. */
export function useMayManageNumbers(): boolean {
  const role = useQuery(meQuery).data?.activeOrganisation?.role;
  return role === "admin" || role === "owner";
}
