import { exportLeadData as entry } from "@leadline/contract/personal-data";
import { type Route, route } from "../../http/route.ts";
import { exportLeadData, type PersonalDataDeps } from "./export-lead-data.ts";

export const personalDataRoutes = (deps: PersonalDataDeps): Route[] => [
  route(entry, ({ caller, params }) => exportLeadData(deps, caller, params.id)),
];
