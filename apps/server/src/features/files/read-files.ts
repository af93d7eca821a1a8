import type { HandlerInput } from "@leadline/contract/endpoint";
import type { listFiles as endpoint, StoredFile } from "@leadline/contract/files";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Identity, Member, WholeFile } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { requireLead } from "../leads/get-lead.ts";
import type { FileDeps } from "./file-deps.ts";
import { findFile, type KeptFile, selectFilesOf } from "./files.table.ts";

export async function listFiles(
  deps: FileDeps,
  { caller, query }: { caller: Member; query: HandlerInput<typeof endpoint>["query"] },
): Promise<StoredFile[]> {
  const { entity, entityId } = query;
  if ((entity === undefined) !== (entityId === undefined))
    throw invalidInput([{ path: ["entityId"], message: "Give an entity with its entityId, or neither." }]);
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction(scopeOf(caller), async (tx) => {
    if (entity === "user" && entityId !== undefined) return selectFilesOf(tx, { avatarOf: entityId });
    if (entityId !== undefined) await requireLead(tx, { id: entityId, organisationId });
    return selectFilesOf(tx, { organisationId, leadId: entityId ?? null });
  });
}

/** A file that the caller may see. Throws the same problem for other files as for missing ones. */
export async function requireFile(deps: FileDeps, caller: Identity, id: string): Promise<KeptFile> {
  const kept = await deps.database.withTransaction(scopeOf(caller), (tx) => findFile(tx, id));
  if (kept === null || (kept.organisationId !== null && kept.organisationId !== caller.organisation?.id))
    throw new Problem("not-found", "File not found.");
  return kept;
}

export async function downloadFile(deps: FileDeps, caller: Identity, id: string): Promise<WholeFile> {
  const { file, storedName } = await requireFile(deps, caller, id);
  const { name, mediaType, sizeBytes } = file;
  return { name, mediaType, sizeBytes, content: deps.store.open(storedName) };
}
