import type { LeadConditions } from "@leadline/contract/leads";
import type { Member } from "../../../http/route.ts";

/** With the caller's own id for `me`. */
export const conditionsOf = (caller: Member, conditions: LeadConditions): LeadConditions => ({
  ...conditions,
  ...(conditions.owner === "me" && { owner: caller.userId }),
  ...(conditions.followUpOwner === "me" && { followUpOwner: caller.userId }),
});
