import * as contract from "@leadline/contract/rates";
import { type Route, route } from "../../http/route.ts";
import { changeMargin, listRates, removeRate, saveRate } from "./change-rates.ts";
import { exportRates } from "./export-rates.ts";
import { importRates } from "./import-rates.ts";
import type { RateDeps } from "./rate-deps.ts";
import { readNumberRate } from "./read-number-rate.ts";

export const rateRoutes = (deps: RateDeps): Route[] => [
  route(contract.readNumberRate, ({ caller, query }) => readNumberRate(deps, caller, query.phoneNumber)),
  route(contract.listRates, ({ caller, params, query }) => listRates(deps, caller, { carrierId: params.id, ...query })),
  route(contract.saveRate, ({ caller, params, body }) => saveRate(deps, caller, params.id, body)),
  route(contract.removeRate, async ({ caller, params, body }) => {
    await removeRate(deps, caller, { id: params.id, ...body });
    return undefined;
  }),
  route(contract.changeMargin, ({ caller, params, body }) =>
    changeMargin(deps, caller, { carrierId: params.id, ...body }),
  ),
  route(contract.importRates, ({ caller, body, files, gone }) =>
    importRates(deps, caller, { ...body, file: files[0], gone }),
  ),
  route(contract.exportRates, ({ caller, params }) => exportRates(deps, caller, params.id)),
];
