import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { deletePastInvitations } from "./invitations.table.ts";

export const pruneInvitationsJob = (database: Database) =>
  defineJob({
    name: "prune-invitations",
    schema: z.object({}),
    cron: "37 3 * * *",
    run: () => database.withTransaction({ system: "expired invitations of every organisation" }, deletePastInvitations),
  });
