import { getHealth } from "@leadline/contract/health";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";

export function healthRoutes({ database }: { database: Database }): Route[] {
  return [
    route(getHealth, async () => {
      await database.callFunction("health", "select 1", () => []);
      return { status: "ok" as const };
    }),
  ];
}
