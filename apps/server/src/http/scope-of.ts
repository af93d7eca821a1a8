import type { Scope } from "../db/transaction.ts";
import type { Identity } from "./route.ts";

/** What the caller may touch: their own, and what belongs to the organisation they act in. */
export const scopeOf = ({ userId, organisation }: Identity): Scope =>
  organisation === null ? { userId } : { userId, organisationId: organisation.id };
