import * as contract from "@leadline/contract/carriers";
import { type Route, route } from "../../http/route.ts";
import type { RateDeps } from "../rates/rate-deps.ts";
import { callToVerify, type VerifyDeps } from "./caller-id/call-to-verify.ts";
import { verifyCallerId } from "./caller-id/verify-caller-id.ts";
import { checkCarrier } from "./check-carrier.ts";
import { listCarrierKinds, listCarriers } from "./list-carriers.ts";
import { keptSettingsIssues } from "./kept-settings-issues.ts";
import { orderCarriers } from "./order-carriers.ts";
import { readCarrierTrace } from "./read-carrier-trace.ts";
import { settingsIssues } from "./read-settings.ts";
import { removeCarrier } from "./remove-carrier.ts";
import { createCarrier, updateCarrier } from "./save-carrier.ts";

export function carrierRoutes(deps: VerifyDeps & Pick<RateDeps, "alertOwners">): Route[] {
  return [
    route(contract.listCarrierKinds, async () => listCarrierKinds(deps)),
    route(contract.listCarriers, ({ caller }) => listCarriers(deps, caller)),
    route(contract.readCarrierTrace, ({ caller, params }) => readCarrierTrace(deps, caller, params.id)),
    route(contract.orderCarriers, ({ caller, body }) => orderCarriers(deps, caller, body.ids)),
    route(contract.createCarrier, ({ caller, body }) => createCarrier(deps, caller, body), {
      furtherIssues: ({ body }) => settingsIssues(deps.modules, body),
    }),
    route(
      contract.updateCarrier,
      ({ caller, params, body }) => updateCarrier(deps, caller, { carrierId: params.id, change: body }),
      { furtherIssues: (refused) => keptSettingsIssues(deps, refused) },
    ),
    route(contract.removeCarrier, async ({ caller, params }) => {
      await removeCarrier(deps, caller, params.id);
      return undefined;
    }),
    route(contract.checkCarrier, ({ caller, body }) => checkCarrier(deps, caller, body)),
    route(contract.callToVerify, ({ caller, params }) => callToVerify(deps, caller, params.id)),
    route(contract.verifyCallerId, ({ caller, params, body }) =>
      verifyCallerId(deps, caller, { carrierId: params.id, code: body.code }),
    ),
  ];
}
