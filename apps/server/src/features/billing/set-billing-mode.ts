import type { BillingModeInput, BillingSummary } from "@leadline/contract/billing";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import type { AlertOwners } from "../members/alert-owners.ts";
import { confirmedIfRequired, passwordRequired } from "../users/confirm-password.ts";
import { selectSummary, writeBillingMode } from "./entries.table.ts";

/** Calls in progress keep the mode they began with. Without a balance that calls need, a thief could spend more. */
export function setBillingMode(
  { database, alertOwners }: { database: Database; alertOwners: AlertOwners },
  caller: Member,
  { mode, currentPassword }: z.output<typeof BillingModeInput>,
): Promise<BillingSummary> {
  const organisationId = caller.organisation.id;
  return confirmedIfRequired(database, caller, currentPassword, (confirmed) =>
    database.withTransaction(scopeOf(caller), async (tx) => {
      const before = await selectSummary(tx, organisationId);
      const loosens = before.mode === "prepaid" && mode === "metered";
      if (loosens && !confirmed) throw passwordRequired("let calls go on without a balance");
      await writeBillingMode(tx, organisationId, mode);
      if (loosens)
        await alertOwners(tx, caller, {
          sentences: ["Calls were prepaid and are now metered: they no longer need a balance."],
          page: "/settings/billing",
        });
      return selectSummary(tx, organisationId);
    }),
  );
}
