import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";

/** What a file can belong to: a lead (attachment) or a user (avatar). */
export const FileEntity = z.enum(["lead", "user"]);

/** Per file. Avatars have a lower limit. */
export const largestFileBytes = 10 * 2 ** 20;
export const largestAvatarBytes = 2 * 2 ** 20;
/** Accepted file extensions. The content must match. */
export const acceptedEndings = [
  "pdf",
  "png",
  "jpg",
  "jpeg",
  "gif",
  "webp",
  "txt",
  "csv",
  "docx",
  "xlsx",
  "pptx",
  "odt",
  "ods",
  "mp3",
  "wav",
  "m4a",
  "ogg",
] as const;
export type AcceptedEnding = (typeof acceptedEndings)[number];

export const StoredFile = z.object({
  id: Id,
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.int(),
  entity: FileEntity.nullable(),
  entityId: Id.nullable(),
  userId: Id.describe("Who uploaded it"),
  userName: z.string(),
  createdAt: Timestamp,
});
export type StoredFile = z.infer<typeof StoredFile>;

export const uploadFiles = endpoint({
  method: "POST",
  path: "/v1/files",
  summary: "Upload files for a lead, as your avatar, or for the organisation; a new avatar replaces the old one",
  access: "signed-in",
  audit: "files.uploaded",
  body: z.object({
    entity: FileEntity.optional(),
    entityId: Id.optional().describe("Required with an entity"),
  }),
  files: { most: 10, largestBytes: largestFileBytes },
  success: [201, z.array(StoredFile)],
  problems: ["not-found", "no-organisation", "not-allowed", "file-refused", "storage-full"],
});
export const listFiles = endpoint({
  method: "GET",
  path: "/v1/files",
  summary: "List a lead's files, or the organisation's own, newest first",
  access: "analyst",
  audit: null,
  query: z.object({ entity: FileEntity.optional(), entityId: Id.optional() }),
  success: [200, z.array(StoredFile)],
  problems: ["not-found"],
});
export const downloadFile = endpoint({
  method: "GET",
  path: "/v1/files/{id}",
  summary: "Download a file's content, as an attachment",
  access: "signed-in",
  audit: null,
  params: IdParams,
  success: [200, "file"],
  problems: ["not-found"],
});
export const deleteFile = endpoint({
  method: "DELETE",
  path: "/v1/files/{id}",
  summary: "Delete a file that you uploaded; an admin can delete any",
  access: "signed-in",
  audit: "file.deleted",
  params: IdParams,
  success: [204, null],
  problems: ["not-found", "not-allowed"],
});
