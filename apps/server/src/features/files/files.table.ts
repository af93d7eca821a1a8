import type { StoredFile } from "@leadline/contract/files";
import { type Generated, sql } from "kysely";
import { personName } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";

export interface FileTable {
  id: string;
  /** Null on an avatar, which belongs to its person in every organisation. */
  organisation_id: string | null;
  lead_id: string | null;
  avatar_of: string | null;
  user_id: string;
  /** The uploaded file's name. */
  name: string;
  media_type: string;
  size_bytes: number;
  /** Drawn by us; see file-store.ts. */
  stored_name: string;
  created_at: Generated<string>;
}

const selectFiles = (tx: Tx) =>
  tx
    .selectFrom("files")
    .leftJoin("users", "users.id", "files.user_id")
    .select(["files.id", "name", "media_type", "size_bytes", "lead_id", "avatar_of", "user_id", "files.created_at"])
    .select(["organisation_id", "stored_name", "first_name", "last_name"]);

type FileRow = Awaited<ReturnType<ReturnType<typeof selectFiles>["executeTakeFirstOrThrow"]>>;

/** A file with fields that only the server sees. */
export interface KeptFile {
  file: StoredFile;
  organisationId: string | null;
  storedName: string;
}

const toKeptFile = (row: FileRow): KeptFile => ({
  file: {
    id: row.id,
    name: row.name,
    mediaType: row.media_type,
    sizeBytes: row.size_bytes,
    entity: row.lead_id ? "lead" : row.avatar_of ? "user" : null,
    entityId: row.lead_id ?? row.avatar_of,
    userId: row.user_id,
    userName: personName(row),
    createdAt: row.created_at,
  },
  organisationId: row.organisation_id,
  storedName: row.stored_name,
});

/** A file's owner: an organisation (or one of its leads), or a person with an avatar. */
export type FileOwner = { organisationId: string; leadId: string | null } | { avatarOf: string };

export interface NewFile {
  id: string;
  userId: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  storedName: string;
}

export async function insertFile(tx: Tx, owner: FileOwner, file: NewFile): Promise<StoredFile> {
  await tx
    .insertInto("files")
    .values({
      id: file.id,
      organisation_id: "avatarOf" in owner ? null : owner.organisationId,
      lead_id: "avatarOf" in owner ? null : owner.leadId,
      avatar_of: "avatarOf" in owner ? owner.avatarOf : null,
      user_id: file.userId,
      name: file.name,
      media_type: file.mediaType,
      size_bytes: file.sizeBytes,
      stored_name: file.storedName,
    })
    .execute();
  return toKeptFile(await selectFiles(tx).where("files.id", "=", file.id).executeTakeFirstOrThrow()).file;
}

/** Newest first. Of a lead, or without one the organisation's own. */
export async function selectFilesOf(
  tx: Tx,
  owner: { organisationId: string; leadId: string | null } | { avatarOf: string },
): Promise<StoredFile[]> {
  const query = selectFiles(tx).orderBy("files.created_at", "desc").limit(500);
  const rows =
    "avatarOf" in owner
      ? await query.where("avatar_of", "=", owner.avatarOf).execute()
      : await query
          .where("organisation_id", "=", owner.organisationId)
          .where("lead_id", "is not distinct from", owner.leadId)
          .execute();
  return rows.map((row) => toKeptFile(row).file);
}

/** Null if there is none visible in this scope. */
export async function findFile(tx: Tx, id: string): Promise<KeptFile | null> {
  const row = await selectFiles(tx).where("files.id", "=", id).executeTakeFirst();
  return row ? toKeptFile(row) : null;
}

export async function findAvatar(tx: Tx, userId: string): Promise<KeptFile | null> {
  const row = await selectFiles(tx).where("avatar_of", "=", userId).executeTakeFirst();
  return row ? toKeptFile(row) : null;
}

export async function removeFile(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("files").where("id", "=", id).execute();
}

/** Other uploads of the same organisation, or of the same face, wait until this transaction ends. */
export async function lockUploads(tx: Tx, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('files:' || ${ownerId}, 0))`.execute(tx);
}

/** A file takes a block of the disk at the least, so the number of files is bounded too. */
export const leastBytes = 4_096;
const bytesTaken = sql<number>`coalesce(sum(greatest(size_bytes, ${sql.lit(leastBytes)})), 0)::bigint`.as("bytes");

/** The total size of the organisation's files. */
export async function sumBytes(tx: Tx, organisationId: string): Promise<number> {
  const row = await tx
    .selectFrom("files")
    .select(bytesTaken)
    .where("organisation_id", "=", organisationId)
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** The total size of a person's uploads in all organisations, without the avatar. */
export async function sumBytesOfPerson(tx: Tx, userId: string): Promise<number> {
  // Lets row-level security show the person's uploads in other organisations, for this sum only.
  await sql`select set_config('app.counts_own_uploads', 'on', true)`.execute(tx);
  const row = await tx
    .selectFrom("files")
    .select(bytesTaken)
    .where("user_id", "=", userId)
    .where("organisation_id", "is not", null)
    .executeTakeFirstOrThrow();
  await sql`select set_config('app.counts_own_uploads', '', true)`.execute(tx);
  return row.bytes;
}

/** Those of these stored names that still have a row. */
export async function selectKnownNames(tx: Tx, storedNames: readonly string[]): Promise<Set<string>> {
  const rows = await tx.selectFrom("files").select("stored_name").where("stored_name", "in", storedNames).execute();
  return new Set(rows.map((row) => row.stored_name));
}
