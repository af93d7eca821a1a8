import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import type { CallDeps } from "../call-deps.ts";
import { carrierUnreachable } from "./dial-call.ts";

/** The carrier that the organisation's outbound calls use. */
export const findCarrier = (deps: CallDeps, organisationId: string): Promise<CarrierInUse> =>
  orUnreachable(deps, organisationId, deps.carriers.ofOrganisation(organisationId));

/** The carrier that an owner tests with a call. */
export async function findTestedCarrier(deps: CallDeps, caller: Member, carrierId: string): Promise<CarrierInUse> {
  const { id: organisationId, role } = caller.organisation;
  if (role !== "owner") throw new Problem("not-allowed", "Only an owner can make a test call.");
  const found = await orUnreachable(deps, organisationId, deps.carriers.ownById(organisationId, carrierId));
  if (!found) throw new Problem("not-found", "Carrier not found.");
  return found;
}

function orUnreachable<T>(deps: CallDeps, organisationId: string, opening: Promise<T>): Promise<T> {
  return opening.catch((error: unknown) => {
    deps.log.error({ err: error, organisationId }, "the organisation's carrier could not be opened");
    throw carrierUnreachable();
  });
}
