import { listFollowUps as endpoint, setFollowUp as setEndpoint } from "@leadline/contract/follow-ups";
import type { Database } from "../../db/database.ts";
import { route } from "../../http/route.ts";
import { finishFollowUp } from "./finish-follow-up.ts";
import { listFollowUps } from "./list-follow-ups.ts";

export const followUpRoutes = ({ database }: { database: Database }) => [
  route(endpoint, async ({ caller, query }) => listFollowUps(database, { caller, query })),
  route(setEndpoint, async ({ caller, params, body }) => {
    await finishFollowUp(database, { caller, phoneNumber: params.phoneNumber, change: body });
    return undefined;
  }),
];
