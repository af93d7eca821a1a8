import type { Tx } from "../../db/transaction.ts";
import { insertCallOutcomes } from "./call-outcomes.table.ts";

const startingOutcomes = [
  { name: "Interested" },
  { name: "Call back", callBack: true },
  ...["Not interested", "Left a message", "Wrong number"].map((name) => ({ name })),
  { name: "Do not call", doNotCall: true },
];

/** What a new organisation starts with; it edits the list as it likes. */
export async function addStartingOutcomes(tx: Tx, organisationId: string): Promise<void> {
  await insertCallOutcomes(tx, organisationId, startingOutcomes);
}
