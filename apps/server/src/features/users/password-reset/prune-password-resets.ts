import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { defineJob } from "../../../jobs/define-job.ts";
import { deletePastPasswordResets } from "./password-resets.table.ts";

export const prunePasswordResetsJob = (database: Database) =>
  defineJob({
    name: "prune-password-resets",
    schema: z.object({}),
    cron: "27 3 * * *",
    run: () => database.withTransaction({ system: "expired links of every user" }, deletePastPasswordResets),
  });
