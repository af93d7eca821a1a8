import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import { isOpenNow } from "../../organisations/is-open-now.ts";

/** Throws `outside-hours`, so that the page can ask the rep to confirm. */
export async function refuseWhenClosed(tx: Tx, organisationId: string): Promise<void> {
  if (!(await isOpenNow(tx, organisationId))) throw new Problem("outside-hours", "Your organisation is closed now.");
}
