import { z } from "zod";
import { openDatabase } from "../db/database.ts";
import type { Scope, Tx } from "../db/transaction.ts";
import { mailRenewalsJob } from "../features/numbers/renewals/mail-renewals.ts";
import { renewNumbers } from "../features/numbers/renewals/renew-numbers.ts";
import { createLog } from "../log.ts";

const Death = z.object({
  databaseUrl: z.string(),
  at: z.string(),
  dies: z.enum(["before the commit", "after the commit"]),
  organisationId: z.string(),
  /** At which transaction of that organisation, from 1. */
  nth: z.int(),
});

/** A process that renews numbers and is killed during that, as by `kill -9`. */
const { databaseUrl, at, dies, organisationId, nth } = Death.parse(JSON.parse(process.argv[2] ?? ""));
const log = createLog("fatal");
const database = openDatabase(databaseUrl, log);
let count = 0;
const dieAt = (step: typeof dies) => {
  if (step === dies && count === nth) process.kill(process.pid, "SIGKILL");
};
const dying = {
  ...database,
  async withTransaction<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
    if ("system" in scope || scope.organisationId !== organisationId) return database.withTransaction(scope, work);
    const done = await database.withTransaction(scope, async (tx) => {
      const result = await work(tx);
      count += 1;
      dieAt("before the commit");
      return result;
    });
    dieAt("after the commit");
    return done;
  },
};
const noMail = { delivers: false, send: async () => {}, close: () => {} };
const mail = mailRenewalsJob({ database, mailer: noMail, links: { billingPage: async () => "" } });
await renewNumbers({ database: dying, jobs: { enqueue: async () => {} }, mail, log }, { at });
