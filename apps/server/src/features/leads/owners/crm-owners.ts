import { type CrmOwner, type CrmOwnerChoice, maxCrmOwners } from "@leadline/contract/crm-owners";
import type { Tx } from "../../../db/transaction.ts";
import { invalidInput } from "../../../http/read-input.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import { changeCrmOwner, deleteCrmOwners, type IntegrationKey, selectCrmOwners } from "./crm-owners.table.ts";
import type { ReassignOwnedLeadsJob } from "./reassign-owned-leads.ts";
import { whyNotOwner } from "./require-owner.ts";

export const listCrmOwners = (tx: Tx, key: IntegrationKey): Promise<CrmOwner[]> =>
  selectCrmOwners(tx, key, maxCrmOwners);

/** Called when an integration is removed. */
export const forgetCrmOwners = (tx: Tx, key: IntegrationKey): Promise<unknown> => deleteCrmOwners(tx, key);

interface SaveCrmOwners {
  jobs: Pick<Jobs, "enqueue">;
  job: ReassignOwnedLeadsJob;
  changedBy: string;
  choices: readonly CrmOwnerChoice[];
}

/** Queues a job that reassigns the leads of owners whose member changed. Skips owners that the CRM hasn't named. */
export async function saveCrmOwners(
  tx: Tx,
  key: IntegrationKey,
  { jobs, job, changedBy, choices }: SaveCrmOwners,
): Promise<void> {
  for (const [index, choice] of choices.entries()) {
    const { organisationId } = key;
    const { mapsTo, userId: chosen } = choice;
    const refusal = mapsTo === "member" ? await whyNotOwner(tx, { organisationId, userId: chosen }) : null;
    if (refusal !== null) throw invalidInput([{ path: ["owners", index, "userId"], message: refusal }]);
    const userId = mapsTo === "member" ? chosen : null;
    const former = await changeCrmOwner(tx, key, { ...choice, userId });
    if (former !== null) await jobs.enqueue(tx, job, { ...key, changedBy, former, after: 0 });
  }
}
