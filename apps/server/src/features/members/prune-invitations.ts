import { z } from "zod";
import { asLeadline } from "../../db/as-leadline.ts";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { deletePastInvitations } from "./invitations.table.ts";

export const pruneInvitationsJob = (database: Database) =>
  defineJob({
    name: "prune-invitations",
    schema: z.object({}),
    cron: "37 3 * * *",
    run: () =>
      database.withTransaction({ system: "expired invitations of every organisation" }, (tx) =>
        asLeadline(tx, "member.invitation-expired", () => deletePastInvitations(tx)),
      ),
  });
