import { listFollowUps as endpoint } from "@leadline/contract/follow-ups";
import type { Database } from "../../db/database.ts";
import { route } from "../../http/route.ts";
import { listFollowUps } from "./list-follow-ups.ts";

export const followUpRoutes = ({ database }: { database: Database }) => [
  route(endpoint, async ({ caller, query }) => listFollowUps(database, { caller, query })),
];
