import { randomUUID } from "node:crypto";
import type { HandlerInput } from "@leadline/contract/endpoint";
import { largestAvatarBytes, type StoredFile, type uploadFiles as endpoint } from "@leadline/contract/files";
import type { Tx } from "../../db/transaction.ts";
import { readOnly } from "../../http/check-access.ts";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Identity, ReceivedFile } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { requireLead } from "../leads/get-lead.ts";
import { setAvatar } from "../users/set-avatar.ts";
import type { FileDeps } from "./file-deps.ts";
import {
  type FileOwner,
  findAvatar,
  insertFile,
  minBytes,
  lockUploads,
  removeFile,
  sumBytes,
  sumBytesOfPerson,
} from "./files.table.ts";
import { recogniseFile } from "./recognise-file.ts";

interface UploadFiles {
  caller: Identity;
  fields: HandlerInput<typeof endpoint>["body"];
  files: readonly ReceivedFile[];
}

/** Uploads all of them or none. */
export async function uploadFiles(deps: FileDeps, { caller, fields, files }: UploadFiles): Promise<StoredFile[]> {
  const owner = ownerOf(caller, fields);
  if (files.length === 0) throw invalidInput([{ path: ["file[]"], message: "Choose a file." }]);
  if ("avatarOf" in owner) refuseAsAvatar(files);
  const mediaTypes: string[] = [];
  for (const file of files) mediaTypes.push(await recogniseFile(file));
  const kept: string[] = [];
  let mayBeCommitted = false;
  try {
    for (const file of files) kept.push(await deps.store.keep(file.path));
    const { stored, replaced } = await deps.database.withTransaction(scopeOf(caller), async (tx) => {
      const before = await prepare(deps, tx, { owner, userId: caller.userId, files });
      const rows: StoredFile[] = [];
      for (const [index, { name, sizeBytes }] of files.entries()) {
        const file = { id: randomUUID(), userId: caller.userId, name: name.slice(-255), sizeBytes };
        rows.push(
          await insertFile(tx, owner, {
            ...file,
            mediaType: mediaTypes[index] ?? "application/octet-stream",
            storedName: kept[index] ?? "",
          }),
        );
      }
      if ("avatarOf" in owner && rows[0]) await setAvatar(tx, owner.avatarOf, rows[0].id);
      mayBeCommitted = true;
      return { stored: rows, replaced: before };
    });
    // The rows are committed. A file that can't be deleted now is deleted by the next sweep.
    if (replaced !== null) await deps.store.remove(replaced).catch(() => {});
    return stored;
  } catch (error) {
    // If the commit's response was lost, rows may refer to these files. If not, the next sweep deletes them.
    if (!mayBeCommitted) await Promise.all(kept.map((name) => deps.store.remove(name)));
    throw error;
  }
}

function ownerOf(caller: Identity, { entity, entityId }: UploadFiles["fields"]): FileOwner {
  if (entity !== undefined && entityId === undefined)
    throw invalidInput([{ path: ["entityId"], message: `Say which ${entity} the files are for.` }]);
  if (entity === "user" && entityId !== undefined) {
    if (entityId !== caller.userId) throw new Problem("not-allowed", "You can change only your own picture.");
    return { avatarOf: entityId };
  }
  if (caller.organisation === null) throw outsideOrganisations();
  if (caller.organisation.role === "analyst") throw readOnly();
  return { organisationId: caller.organisation.id, leadId: entityId ?? null };
}

const outsideOrganisations = (): Problem =>
  new Problem("no-organisation", "You need to be part of an organisation to use this feature.");

/** Checks the name only. The content is checked as for every file. */
function refuseAsAvatar(files: readonly ReceivedFile[]): void {
  const [file] = files;
  if (files.length > 1) throw new Problem("file-refused", "Choose one picture.");
  if (!/\.(png|jpe?g|gif|webp)$/i.test(file?.name ?? ""))
    throw new Problem("file-refused", `“${file?.name}” isn’t an image. Choose a PNG, JPEG, GIF or WebP file.`);
  if ((file?.sizeBytes ?? 0) > largestAvatarBytes) throw new Problem("file-refused", "Choose a picture under 2 MB.");
}

/** The stored name that the new file replaces, if any. */
async function prepare(
  deps: FileDeps,
  tx: Tx,
  { owner, userId, files }: { owner: FileOwner; userId: string; files: readonly ReceivedFile[] },
): Promise<string | null> {
  await lockUploads(tx, "avatarOf" in owner ? owner.avatarOf : owner.organisationId);
  if ("avatarOf" in owner) {
    const former = await findAvatar(tx, owner.avatarOf);
    if (former) await removeFile(tx, former.file.id);
    return former?.storedName ?? null;
  }
  const { organisationId, leadId } = owner;
  if (leadId !== null) await requireLead(tx, { id: leadId, organisationId });
  await lockUploads(tx, userId);
  const newBytes = files.reduce((sum, file) => sum + Math.max(file.sizeBytes, minBytes), 0);
  await refuseOverQuota(deps, tx, { organisationId, userId, newBytes });
  return null;
}

/** Before they are received. What may be an avatar counts towards no quota. */
export async function refuseWithoutRoom(deps: FileDeps, caller: Identity, newBytes: number): Promise<void> {
  if (newBytes <= largestAvatarBytes) return;
  const { userId, organisation } = caller;
  if (organisation === null) throw outsideOrganisations();
  await deps.database.readInTransaction(scopeOf(caller), (tx) =>
    refuseOverQuota(deps, tx, { organisationId: organisation.id, userId, newBytes }),
  );
}

async function refuseOverQuota(
  deps: FileDeps,
  tx: Tx,
  { organisationId, userId, newBytes }: { organisationId: string; userId: string; newBytes: number },
): Promise<void> {
  if ((await sumBytes(tx, organisationId)) + newBytes > deps.quotaBytes)
    throw new Problem(
      "storage-full",
      `Your organisation has used its ${Math.round(deps.quotaBytes / 2 ** 20)} MB of file storage. Delete files you no longer need.`,
    );
  // Otherwise each new organisation would add to a person's quota.
  if ((await sumBytesOfPerson(tx, userId)) + newBytes > deps.quotaBytes)
    throw new Problem(
      "storage-full",
      `You have used your ${Math.round(deps.quotaBytes / 2 ** 20)} MB of file storage across your organisations. Delete files you no longer need.`,
    );
}
