import * as contract from "@leadline/contract/personal-data";
import { type Route, route } from "../../http/route.ts";
import { eraseAccount } from "./erase-account.ts";
import { eraseLead, type ErasureDeps } from "./erase-lead.ts";
import { exportLeadData, type PersonalDataDeps } from "./export-lead-data.ts";
import { exportOwnData } from "./export-own-data.ts";

export const personalDataRoutes = (deps: PersonalDataDeps & ErasureDeps): Route[] => [
  route(contract.exportLeadData, ({ caller, params }) => exportLeadData(deps, caller, params.id)),
  route(contract.eraseLead, ({ caller, params, body }) =>
    eraseLead(deps, caller, { id: params.id, ...body }).then(() => undefined),
  ),
  route(contract.exportOwnData, ({ caller }) => exportOwnData(deps, caller)),
  route(contract.eraseAccount, ({ caller, body }) => eraseAccount(deps, caller, body).then(() => undefined)),
];
