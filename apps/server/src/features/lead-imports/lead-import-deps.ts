import type { Database } from "../../db/database.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import type { FileStore } from "../files/file-store.ts";
import type { ImportLeadsJob } from "./import-leads-job.ts";
import type { RunningChecks } from "./running-checks.ts";

export interface LeadImportDeps {
  database: Database;
  store: FileStore;
  jobs: Pick<Jobs, "enqueue">;
  checks: RunningChecks;
  job: ImportLeadsJob;
}
