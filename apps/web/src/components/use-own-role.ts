import type { Role } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../data/me-query.ts";

/** In the active organisation; null without one. */
export const useOwnRole = (): Role | null => useQuery(meQuery).data?.activeOrganisation?.role ?? null;

/** Shows or hides only: the server decides. */
export const isAdmin = (role: Role | null): boolean => role === "admin" || role === "owner";

export const roleNames = { owner: "Owner", admin: "Admin", member: "Member" } as const satisfies Record<Role, string>;
