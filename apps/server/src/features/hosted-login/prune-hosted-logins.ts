import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { deletePastHostedLogins } from "./hosted-login.table.ts";

export const pruneHostedLoginsJob = (database: Database) =>
  defineJob({
    name: "prune-hosted-logins",
    schema: z.object({}),
    cron: "47 * * * *",
    run: () => database.withTransaction({ system: "abandoned logins" }, deletePastHostedLogins),
  });
