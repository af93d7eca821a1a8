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

/**
 * Stores the files in the system's temporary folder until the response is sent, and the fields as the request's body.
 */
export async function receiveFiles(request: FastifyRequest, rules: FileRules): Promise<ReceivedFile[]> {
  const limits = {
    files: rules.most,
    fileSize: rules.largestBytes,
    fields: 20,
    fieldSize: 10_000,
    parts: rules.most + 20,
  };
  const saved = await withoutOwnLog(request, () => request.saveRequestFiles({ limits })).catch((error: unknown) => {
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

function tooLarge(error: unknown, { most, largestBytes }: FileRules): Problem | null {
  const code = error instanceof Error && "code" in error ? error.code : "";
  const largest = `${Math.round(largestBytes / 2 ** 20)} MB`;
  if (code === "FST_REQ_FILE_TOO_LARGE")
    return new Problem("body-too-large", `Send files of less than ${largest} each.`);
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
