import type { CallDeps } from "./call-deps.ts";
import { carrierUnreachable } from "./dial-call.ts";

/** The carrier that the organisation's calls go to. */
export function findCarrier(deps: CallDeps, organisationId: string) {
  return deps.carriers.ofOrganisation(organisationId).catch((error: unknown) => {
    deps.log.error({ err: error, organisationId }, "the organisation's carrier could not be opened");
    throw carrierUnreachable();
  });
}
