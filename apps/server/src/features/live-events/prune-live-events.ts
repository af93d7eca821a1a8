import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { pruneLiveEvents } from "./live-events.table.ts";

/** A stream that was away for more than an hour reads everything again. */
export const pruneLiveEventsJob = (database: Database) =>
  defineJob({
    name: "prune-live-events",
    schema: z.object({}),
    cron: "*/10 * * * *",
    run: () => database.withTransaction({ system: "old events of every organisation" }, pruneLiveEvents),
  });
