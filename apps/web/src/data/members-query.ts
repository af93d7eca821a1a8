import { listInvitations, listMembers } from "@leadline/contract/members";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: ({ signal }) => request(listMembers, {}, { signal }),
});

/** For admins only. */
export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => request(listInvitations, {}, { signal }),
});
