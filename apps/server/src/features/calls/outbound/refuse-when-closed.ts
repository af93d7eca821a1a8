import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import { isOpenNow } from "../../organisations/is-open-now.ts";

/** So that the person can be asked. */
export async function refuseWhenClosed(tx: Tx, organisationId: string): Promise<void> {
  if (!(await isOpenNow(tx, organisationId))) throw new Problem("outside-hours", "Your organisation is closed now.");
}
