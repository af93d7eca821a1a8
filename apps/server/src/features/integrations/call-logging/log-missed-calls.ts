import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { defineJob } from "../../../jobs/define-job.ts";
import { insertMissedActivities } from "./call-activities.table.ts";

/** Logs calls that ended in the same moment as their lead got its record or its number. */
export const logMissedCallsJob = (database: Database) =>
  defineJob({
    name: "log-missed-calls",
    schema: z.object({}),
    cron: "* * * * *",
    run: () =>
      database.withTransaction(
        { system: "log calls that ended while their leads were stored" },
        insertMissedActivities,
      ),
  });
