import type { CallerIdReason } from "@leadline/contract/caller-ids";
import type { Tx } from "../../db/transaction.ts";
import type { CarrierInUse } from "../carriers/own-carriers.ts";
import { type CallerIdChoices, selectChoices } from "./caller-id-choices.table.ts";
import { type CallerIdCandidate, chooseCallerId } from "./choose-caller-id.ts";
import { findCandidates } from "./find-candidates.ts";

interface Picked {
  number: string | null;
  reason: CallerIdReason;
  candidates: CallerIdCandidate[];
  choices: CallerIdChoices;
}

/** The caller ID for this person's call through this carrier. `number` null: the provider's default. */
export async function pickCallerId(
  tx: Tx,
  call: { organisationId: string; userId: string; to: string | null; via: CarrierInUse; chosen: string | null },
): Promise<Picked> {
  const { to, chosen } = call;
  const [choices, candidates] = await Promise.all([selectChoices(tx, call), findCandidates(tx, call)]);
  return { ...chooseCallerId({ to, chosen, candidates, ...choices }), candidates, choices };
}
