import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { selectCallOutcomes } from "./call-outcomes.table.ts";

/** More choices than this can't be scanned during a call. */
const maxOffered = 30;

/** Refuses duplicate names and a list that is too long. Call it under lockCallOutcomes. */
export async function keepListUsable(
  tx: Tx,
  organisationId: string,
  coming: { id: string | null; name: string },
): Promise<void> {
  const offered = (await selectCallOutcomes(tx, organisationId)).filter(
    (outcome) => !outcome.archived && outcome.id !== coming.id,
  );
  if (offered.some((outcome) => outcome.name.toLowerCase() === coming.name.toLowerCase()))
    throw new Problem("outcome-name-taken", `“${coming.name}” is already in the list. Choose another name.`);
  if (offered.length >= maxOffered)
    throw new Problem("too-many-outcomes", `The list holds ${maxOffered} outcomes. Archive one before you add more.`);
}
