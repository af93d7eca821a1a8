import { mkdir } from "node:fs/promises";
import type { FileRules } from "@leadline/contract/endpoint";
import type { FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";
import type { ReceivedFile } from "./route.ts";

const bodyKinds = {
  json: { type: "application/json", hint: "Send the body as application/json." },
  multipart: { type: "multipart/form-data", hint: "Send the files as multipart/form-data, in parts named file[]." },
  urlEncoded: {
    type: "application/x-www-form-urlencoded",
    hint: "Send the body as application/x-www-form-urlencoded.",
  },
} as const;

/** Called before the body is read. A request without a body may have any content type. */
export function refuseOtherThan(kind: keyof typeof bodyKinds, request: FastifyRequest): void {
  const given = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  const { type, hint } = bodyKinds[kind];
  const isAnother = Object.values(bodyKinds).some((known) => known.type === given && given !== type);
  if (isAnother || (kind !== "json" && given !== type)) throw new Problem("media-type-not-supported", hint);
}

/** The length of everything but the files: names, fields and the lines between them. */
const longestRest = 64 * 1024;

/**
 * The length of the files that a request announces, if it does, apart from `longestRest`. @throws body-too-large: more
 * than the endpoint takes
 */
export function announcedBytes(request: FastifyRequest, rules: FileRules): number | null {
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (Number.isNaN(length)) return null;
  const bytes = length - longestRest;
  if (bytes > rules.most * rules.largestBytes) throw larger(rules);
  return bytes;
}

/** Stores the files in that folder until the response is sent, and the fields as the request's body. */
export async function receiveFiles(
  request: FastifyRequest,
  { rules, folder }: { rules: FileRules; folder: string },
): Promise<ReceivedFile[]> {
  const limits = {
    files: rules.most,
    fileSize: rules.largestBytes,
    fields: 20,
    fieldSize: 10_000,
    parts: rules.most + 20,
  };
  // Another machine may have deleted it, if nothing has been uploaded to this process for a day.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const saving = () => request.saveRequestFiles({ limits, tmpdir: folder });
  const saved = await withoutOwnLog(request, saving).catch((error: unknown) => {
    // They are removed here; after the response, the plugin would look for them again.
    request.tmpUploads = null;
    throw tooLarge(error, rules) ?? brokenOff(error) ?? error;
  });
  request.body = Object.fromEntries(
    Object.entries(saved.values).map(([name, field]) => [name, isField(field) ? field.value : field]),
  );
  return saved.files.map((file) => ({
    name: file.filename.replaceAll(/\p{Cc}/gu, " "),
    path: file.filepath,
    sizeBytes: file.file.bytesRead,
  }));
}

/**
 * The parser logs what it throws as an error, even if the caller caused it; the error handler logs what is worth
 * logging.
 */
async function withoutOwnLog<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { log } = request;
  request.log = log.child({}, { level: "silent" });
  try {
    return await work();
  } finally {
    request.log = log;
  }
}

const larger = ({ largestBytes }: FileRules): Problem =>
  new Problem("body-too-large", `Send files of less than ${Math.round(largestBytes / 2 ** 20)} MB each.`);

function tooLarge(error: unknown, rules: FileRules): Problem | null {
  const { most } = rules;
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "FST_REQ_FILE_TOO_LARGE") return larger(rules);
  if (code === "FST_FILES_LIMIT" || code === "FST_PARTS_LIMIT")
    return new Problem("body-too-large", `Send at most ${most} ${most === 1 ? "file" : "files"} at a time.`);
  return null;
}

/** Errors of the multipart/form-data parser have no code; disk errors have one. */
const brokenOff = (error: unknown): Problem | null =>
  error instanceof Error && !("code" in error)
    ? new Problem("malformed-request", "The upload was interrupted. Upload the files again.", { cause: error })
    : null;

const isField = (field: unknown): field is { value: unknown } =>
  typeof field === "object" && field !== null && "value" in field;
