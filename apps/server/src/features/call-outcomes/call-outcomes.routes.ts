import * as endpoints from "@leadline/contract/call-outcomes";
import type { Database } from "../../db/database.ts";
import { route } from "../../http/route.ts";
import { createCallOutcome } from "./create-call-outcome.ts";
import { listCallOutcomes } from "./list-call-outcomes.ts";
import { orderCallOutcomes } from "./order-call-outcomes.ts";
import { removeCallOutcome } from "./remove-call-outcome.ts";
import { updateCallOutcome } from "./update-call-outcome.ts";

export const callOutcomeRoutes = ({ database }: { database: Database }) => [
  route(endpoints.listCallOutcomes, async ({ caller }) => listCallOutcomes(database, caller)),
  route(endpoints.createCallOutcome, async ({ caller, body }) => createCallOutcome(database, caller, body.name)),
  route(endpoints.orderCallOutcomes, async ({ caller, body }) =>
    orderCallOutcomes(database, { caller, ids: body.ids }),
  ),
  route(endpoints.updateCallOutcome, async ({ caller, params, body }) =>
    updateCallOutcome(database, { caller, id: params.id, change: body }),
  ),
  route(endpoints.removeCallOutcome, async ({ caller, params }) =>
    removeCallOutcome(database, { caller, id: params.id }),
  ),
];
