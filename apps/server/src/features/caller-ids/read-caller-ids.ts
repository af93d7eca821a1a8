import type { CallerIds } from "@leadline/contract/caller-ids";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import type { Tx } from "../../db/transaction.ts";
import type { Log } from "../../log.ts";
import type { OpenCarriers } from "../carriers/open-carriers.ts";
import type { CarrierInUse } from "../carriers/own-carriers.ts";
import { pickCallerId } from "./pick-caller-id.ts";

export interface CallerIdDeps {
  database: Database;
  carriers: Pick<OpenCarriers, "ofOrganisation">;
  log: Log;
}

export async function readCallerIds(deps: CallerIdDeps, caller: Member, to: string | null): Promise<CallerIds> {
  const via = await findDialled(deps, caller);
  return deps.database.withTransaction(scopeOf(caller), (tx) => readNow(tx, { caller, via, to }));
}

export async function readNow(
  tx: Tx,
  { caller, via, to }: { caller: Member; via: CarrierInUse; to: string | null },
): Promise<CallerIds> {
  const picked = await pickCallerId(tx, { ...scopeOf(caller), via, to, chosen: null });
  const { number, reason, candidates, choices } = picked;
  return {
    numbers: candidates.map((each) => ({ number: each.number, label: each.label })),
    automatic: { number, reason },
    ...choices,
  };
}

/** The carrier that a call would go to now. */
export const findDialled = (
  { carriers, log }: CallerIdDeps,
  { organisation: { id: organisationId } }: Member,
): Promise<CarrierInUse> =>
  carriers.ofOrganisation(organisationId).catch((error: unknown) => {
    log.warn({ err: error, organisationId }, "the organisation's carrier could not be opened to read its caller IDs");
    throw new Problem("carrier-unreachable", "Your carrier can’t be reached. Try again in a moment.");
  });

export const scopeOf = ({ userId, organisation }: Member) => ({ userId, organisationId: organisation.id });
