import type { Database } from "../db/database.ts";
import { refuseWithBalance } from "../features/billing/refuse-with-balance.ts";
import { refuseWithAccounts } from "../features/carrier-accounts/refuse-with-accounts.ts";
import { deleteSomeCalls } from "../features/calls/log/call-log.table.ts";
import type { OwnCarriers } from "../features/carriers/own-carriers.ts";
import { removeEveryCarrier } from "../features/carriers/remove-every-carrier.ts";
import type { FileStore } from "../features/files/file-store.ts";
import { endEverySync } from "../features/integrations/sync/end-every-sync.ts";
import { deleteSomeOfImports } from "../features/lead-imports/lead-imports.table.ts";
import { deleteSomeLeads } from "../features/leads/leads.table.ts";
import { refuseDuringCallsOf } from "../features/lines/refuse-during-call.ts";
import { removeAllMembers, holdAsOnlyOwner } from "../features/members/remove-all-members.ts";
import { refuseWithNumbers } from "../features/numbers/refuse-with-numbers.ts";
import { type OrganisationHooks, removeInSlices } from "../features/organisations/organisation-hooks.ts";
import { refuseWithOpenTopUps } from "../features/top-ups/refuse-with-open-top-ups.ts";
import { moveFromOrganisation } from "../features/users/users.table.ts";
import { removeEveryMessage } from "../features/voicemail/drop-outdated.ts";

interface Deps {
  database: Database;
  store: FileStore;
  /** Undefined until carriers are opened. */
  ownCarriers(): Pick<OwnCarriers, "changed"> | undefined;
  removeEveryIntegration(organisationId: string): Promise<void>;
}

/** What each feature does when an organisation is deleted. */
export function organisationHooks(deps: Deps): OrganisationHooks[] {
  const { database } = deps;
  return [
    { onDeleted: holdAsOnlyOwner },
    { onDeleted: (tx, { organisationId }) => refuseWithNumbers(tx, organisationId) },
    { onDeleted: (tx, { organisationId }) => refuseWithAccounts(tx, organisationId) },
    { onDeleted: (tx, { organisationId }) => refuseWithOpenTopUps(tx, organisationId) },
    // After the top-ups: one that is paid meanwhile isn't open any more.
    { onDeleted: refuseWithBalance },
    // Updating first waits for a call that is just starting; then the check sees it.
    { onDeleted: (tx, { organisationId }) => moveFromOrganisation(tx, organisationId) },
    { onDeleted: (tx, { organisationId }) => refuseDuringCallsOf(tx, organisationId) },
    { onDeleted: (tx, { organisationId }) => removeAllMembers(tx, organisationId) },
    {
      onDeleted: (tx, { organisationId }) => endEverySync(tx, organisationId),
      onRemoved: deps.removeEveryIntegration,
    },
    {
      async onDeleted(tx, { organisationId }) {
        const removed = await removeEveryCarrier(tx, organisationId);
        return async () => deps.ownCarriers()?.changed(organisationId, removed);
      },
    },
    { onRemoved: (organisationId) => removeEveryMessage(deps, organisationId) },
    // Before the leads, because a running import would add more.
    { onRemoved: removeInSlices(database, deleteSomeOfImports) },
    { onRemoved: removeInSlices(database, deleteSomeCalls) },
    { onRemoved: removeInSlices(database, deleteSomeLeads) },
  ];
}
