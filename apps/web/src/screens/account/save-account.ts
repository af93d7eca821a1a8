import { updateUser, type User } from "@leadline/contract/users";
import type { RequestInput } from "@leadline/contract/endpoint";
import { request } from "../../data/api-client.ts";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";

/** Saves a change of the current user and shows it everywhere. */
export async function saveAccount(me: User, change: RequestInput<typeof updateUser>["body"]): Promise<void> {
  queryClient.setQueryData(meQuery.queryKey, await request(updateUser, { params: { id: me.id }, body: change }));
}
