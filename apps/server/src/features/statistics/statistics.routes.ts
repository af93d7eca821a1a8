import { readStatistics as endpoint } from "@leadline/contract/statistics";
import type { Database } from "../../db/database.ts";
import { route } from "../../http/route.ts";
import { readStatistics } from "./read-statistics.ts";

export const statisticsRoutes = ({ database }: { database: Database }) => [
  route(endpoint, async ({ caller, query }) => readStatistics(database, { caller, query })),
];
