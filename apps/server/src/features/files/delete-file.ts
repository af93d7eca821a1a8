import { isAdmin } from "@leadline/contract/organisations";
import { readOnly } from "../../http/check-access.ts";
import { Problem } from "../../http/problem.ts";
import type { Identity } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { setAvatar } from "../users/set-avatar.ts";
import type { FileDeps } from "./file-deps.ts";
import { removeFile } from "./files.table.ts";
import { requireFile } from "./read-files.ts";

/** Deletes the caller's own file, or as an admin any file of the organisation. */
export async function deleteFile(deps: FileDeps, caller: Identity, id: string): Promise<void> {
  const { file, organisationId, storedName } = await requireFile(deps, caller, id);
  if (organisationId !== null && caller.organisation?.role === "analyst") throw readOnly();
  const byAdmin = organisationId !== null && caller.organisation !== null && isAdmin(caller.organisation.role);
  if (file.userId !== caller.userId && !byAdmin)
    throw new Problem("not-allowed", "Only the person who uploaded a file, or an admin, can delete it.");
  await deps.database.withTransaction(scopeOf(caller), async (tx) => {
    await removeFile(tx, id);
    if (file.entity === "user") await setAvatar(tx, caller.userId, null);
  });
  await deps.store.remove(storedName);
}
