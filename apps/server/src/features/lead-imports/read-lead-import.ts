import { type LeadImport, type ListedImport, maxListedErrors } from "@leadline/contract/lead-imports";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { selectFailedRows } from "./failed-rows.table.ts";
import type { LeadImportDeps } from "./lead-import-deps.ts";
import {
  findLeadImport,
  type LeadImportKey,
  removeLeadImport,
  removePastImports,
  selectImportFiles,
  selectLatestImports,
  toLeadImport,
} from "./lead-imports.table.ts";

export async function requireLeadImport(tx: Tx, key: LeadImportKey) {
  const found = await findLeadImport(tx, key);
  if (found === null) throw new Problem("not-found", "Import not found.");
  return found;
}

export async function getLeadImport(deps: LeadImportDeps, caller: Member, id: string): Promise<LeadImport> {
  const key = { id, organisationId: caller.organisation.id };
  return toLeadImport(await deps.database.withTransaction(key, (tx) => requireLeadImport(tx, key)));
}

const maxListed = 20;

export async function listLeadImports(deps: LeadImportDeps, caller: Member): Promise<ListedImport[]> {
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction({ organisationId }, (tx) => selectLatestImports(tx, organisationId, maxListed));
}

export async function listLeadImportErrors(
  deps: LeadImportDeps,
  caller: Member,
  id: string,
): Promise<{ row: number; message: string }[]> {
  const key = { id, organisationId: caller.organisation.id };
  return deps.database.withTransaction(key, async (tx) => {
    await requireLeadImport(tx, key);
    const failed = await selectFailedRows(tx, key, { afterRow: 0, limit: maxListedErrors });
    return failed.map(({ row, message }) => ({ row, message }));
  });
}

/** A running import stops before its next step. */
export async function deleteLeadImport(deps: LeadImportDeps, caller: Member, id: string): Promise<void> {
  const key = { id, organisationId: caller.organisation.id };
  const storedName = await deps.database.withTransaction(key, async (tx) => {
    const { stored_name } = await requireLeadImport(tx, key);
    await removeLeadImport(tx, key);
    return stored_name;
  });
  if (storedName !== null) await deps.store.remove(storedName);
}

/** Those of these stored names that an import still needs. Deletes abandoned imports. */
export async function knownImportFiles(tx: Tx, storedNames: readonly string[]): Promise<string[]> {
  await removePastImports(tx);
  return selectImportFiles(tx, storedNames);
}
