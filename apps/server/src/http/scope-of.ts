import type { Scope } from "../db/transaction.ts";
import type { Identity } from "./route.ts";

/** The caller's scope: their own rows, and those of the active organisation. */
export const scopeOf = ({ userId, organisation }: Identity): Scope =>
  organisation === null ? { userId } : { userId, organisationId: organisation.id };
