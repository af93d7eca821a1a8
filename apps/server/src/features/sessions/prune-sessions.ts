import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { pruneAttempts } from "../attempts/attempts-of-key.ts";
import { deletePastSessions } from "./sessions.table.ts";

export const pruneSessionsJob = (database: Database) =>
  defineJob({
    name: "prune-sessions",
    schema: z.object({}),
    cron: "17 3 * * *",
    run: () =>
      database.withTransaction({ system: "expired sessions of every user" }, async (tx) => {
        await deletePastSessions(tx);
        await pruneAttempts(tx);
      }),
  });
