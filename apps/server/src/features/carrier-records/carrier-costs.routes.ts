import * as contract from "@leadline/contract/carrier-costs";
import { type Route, route } from "../../http/route.ts";
import { exportCostDifferences } from "./export-cost-differences.ts";
import { listCostDifferences } from "./list-cost-differences.ts";
import { readCallCost } from "./read-call-cost.ts";
import { readRecordsNow } from "./read-records-now.ts";
import type { RecordDeps } from "./read-records.ts";

export const carrierCostRoutes = (deps: RecordDeps): Route[] => [
  route(contract.listCostDifferences, ({ caller, query }) => listCostDifferences(deps.database, caller, query)),
  route(contract.exportCostDifferences, ({ caller, query }) => exportCostDifferences(deps.database, caller, query)),
  route(contract.readCarrierRecords, async ({ caller }) => {
    await readRecordsNow(deps, caller);
    return undefined;
  }),
  route(contract.readCallCost, ({ caller, params }) => readCallCost(deps.database, caller, params.callSid)),
];
