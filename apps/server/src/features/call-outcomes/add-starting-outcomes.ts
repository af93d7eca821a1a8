import type { Tx } from "../../db/transaction.ts";
import { insertCallOutcomes } from "./call-outcomes.table.ts";

const startingOutcomes = [
  { name: "Interested" },
  { name: "Call back", callBack: true },
  ...["Not interested", "Left a message", "Wrong number"].map((name) => ({ name })),
  { name: "Do not call", doNotCall: true },
];

/** The initial outcomes of a new organisation, which it can edit. */
export async function addStartingOutcomes(tx: Tx, organisationId: string): Promise<void> {
  await insertCallOutcomes(tx, organisationId, startingOutcomes);
}
