import type { Role } from "@leadline/contract/organisations";
import { usePageOrganisation } from "./use-page-organisation.ts";

/** In the organisation that the page is about; null without one. */
export const useOwnRole = (): Role | null => usePageOrganisation()?.role ?? null;

/** An analyst, who changes and calls nothing. */
export const useReadsOnly = (): boolean => useOwnRole() === "analyst";

/** Only for showing or hiding: the server decides. */
export const isAdmin = (role: Role | null): boolean => role === "admin" || role === "owner";

export const roleNames = {
  owner: "Owner",
  admin: "Admin",
  member: "Member",
  analyst: "Analyst",
} as const satisfies Record<Role, string>;
