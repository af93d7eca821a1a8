import type { Member } from "@leadline/contract/members";

/** Analysts only read: nothing is given to them. */
export const mayOwnLeads = ({ role }: Pick<Member, "role">): boolean => role !== "analyst";
