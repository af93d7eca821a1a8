import type { Statistics } from "@leadline/contract/statistics";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { isUnknownTimeZone, selectStatistics } from "./statistics.table.ts";

interface ReadStatistics {
  caller: Member;
  query: { from: string; to: string; userId?: string | undefined; timeZone?: string | undefined };
}

export async function readStatistics(database: Database, { caller, query }: ReadStatistics): Promise<Statistics> {
  const { from, to, userId = null, timeZone = null } = query;
  const organisationId = caller.organisation.id;
  try {
    return await database.withTransaction({ organisationId, userId: caller.userId }, (tx) =>
      selectStatistics(tx, { organisationId, from, to, userId, timeZone }),
    );
  } catch (error) {
    if (!isUnknownTimeZone(error)) throw error;
    const message = "The database doesn’t know this time zone. Choose another with the same offset.";
    throw new Problem("invalid-input", message, { errors: [{ field: "timeZone", message }], cause: error });
  }
}
