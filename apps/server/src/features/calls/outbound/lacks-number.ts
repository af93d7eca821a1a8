import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import { hasBackup } from "../../carriers/has-backup.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import type { CallDeps } from "../call-deps.ts";

interface Shown {
  organisationId: string;
  via: CarrierInUse;
  callerId: string | null;
}

export const noNumberYet = (carrier: { label: string }): string =>
  `${carrier.label} has no number yet, and calls through it need one. An admin can get one under Settings, Phone numbers.`;

/** Whether the carrier would refuse the call, because there is no number that it can show. */
export async function lacksNumber(
  { needsNumber }: Pick<CallDeps, "needsNumber">,
  tx: Tx,
  { organisationId, via: { connection }, callerId }: Shown,
): Promise<boolean> {
  if (callerId !== null || connection === null) return false;
  return needsNumber(tx, { organisationId, carrierId: connection.id });
}

/** The same, but refuses the call if it can't go to another carrier. A test call never does. */
export async function refuseWithoutNumber(
  deps: Pick<CallDeps, "needsNumber">,
  tx: Tx,
  { isTest, ...shown }: Shown & { isTest: boolean },
): Promise<boolean> {
  const { connection } = shown.via;
  if (connection === null || !(await lacksNumber(deps, tx, shown))) return false;
  const carrier = { organisationId: shown.organisationId, carrierId: connection.id };
  if (!isTest && (await hasBackup(tx, carrier))) return true;
  throw new Problem("caller-id-missing", noNumberYet(connection));
}
