import type { LeadImport, LeadMapping } from "@leadline/contract/lead-imports";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { refuseOverRowQuota } from "../organisations/refuse-over-row-quota.ts";
import { requireLeadImport } from "./read-lead-import.ts";
import type { LeadImportDeps } from "./lead-import-deps.ts";
import { markStarted, toLeadImport } from "./lead-imports.table.ts";

interface StartLeadImport {
  id: string;
  mapping: LeadMapping;
  skipKnownNumbers: boolean;
}

export async function startLeadImport(
  deps: LeadImportDeps,
  caller: Member,
  { id, ...how }: StartLeadImport,
): Promise<LeadImport> {
  const key = { id, organisationId: caller.organisation.id };
  return deps.database.withTransaction({ ...key, userId: caller.userId }, async (tx) => {
    const { columns } = await requireLeadImport(tx, key);
    const outside = Object.entries(how.mapping).filter(
      ([, column]) => column !== undefined && column >= columns.length,
    );
    if (outside.length > 0)
      throw invalidInput(
        outside.map(([field]) => ({ path: ["mapping", field], message: "The file doesn’t have that column." })),
      );
    if (!(await markStarted(tx, key, how)))
      throw new Problem(
        "import-started",
        "This import has already started. To import the file again, upload it again.",
      );
    const started = toLeadImport(await requireLeadImport(tx, key));
    const { organisationId } = key;
    await refuseOverRowQuota(tx, { organisationId, table: "leads", adding: started.rowCount });
    await deps.jobs.enqueue(tx, deps.job, key);
    return started;
  });
}
