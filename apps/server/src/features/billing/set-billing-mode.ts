import type { BillingModeInput, BillingSummary } from "@leadline/contract/billing";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { confirmedIfRequired, passwordRequired } from "../users/confirm-password.ts";
import { selectSummary, writeBillingMode } from "./entries.table.ts";

/** Calls in progress keep the mode they began with. Without a balance that calls need, a thief could spend more. */
export function setBillingMode(
  database: Database,
  caller: Member,
  { mode, currentPassword }: z.output<typeof BillingModeInput>,
): Promise<BillingSummary> {
  const organisationId = caller.organisation.id;
  return confirmedIfRequired(database, caller, currentPassword, (confirmed) =>
    database.withTransaction(scopeOf(caller), async (tx) => {
      const before = await selectSummary(tx, organisationId);
      if (before.mode === "prepaid" && mode === "metered" && !confirmed)
        throw passwordRequired("let calls go on without a balance");
      await writeBillingMode(tx, organisationId, mode);
      return selectSummary(tx, organisationId);
    }),
  );
}
