import type { Access } from "@leadline/contract/endpoint";
import type { Role } from "@leadline/contract/organisations";

const ranks: readonly Access[] = ["public", "signed-in", "analyst", "member", "admin", "owner"];

/** Whether the contract lets that role use an endpoint. Only for showing or hiding: the server decides. */
export const may = (role: Role | null, { access }: { access: Access }): boolean =>
  ranks.indexOf(access) <= ranks.indexOf(role ?? "signed-in");
