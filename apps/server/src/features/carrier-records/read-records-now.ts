import { ProvisionerError } from "@leadline/adapter-kit/provisioner";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { readRecords, type RecordDeps } from "./read-records.ts";

/** Reads the records of all accounts of the organisation. Skips one that another process is reading. */
export async function readRecordsNow(deps: RecordDeps, { organisation, userId }: Member): Promise<void> {
  const scope = { userId, organisationId: organisation.id };
  const accounts = await deps.database.withTransaction(scope, (tx) => deps.accounts.list(tx, organisation.id));
  for (const account of accounts)
    await readRecords(deps, account).catch((error: unknown) => {
      throw toProblem(error);
    });
}

function toProblem(error: unknown): unknown {
  if (!(error instanceof ProvisionerError)) return error;
  const isSilent = error.fault === "unreachable" || error.fault === "too-many-requests";
  return new Problem(isSilent ? "carrier-unreachable" : "carrier-refused", error.message, { cause: error });
}
