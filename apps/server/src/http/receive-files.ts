import type { FileRules } from "@leadline/contract/endpoint";
import type { FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";
import type { ReceivedFile } from "./route.ts";

/** Before the body is read. A request without a body may name any type. */
export function refuseOtherThan(kind: "json" | "multipart", request: FastifyRequest): void {
  const isMultipart = /^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "");
  if (kind === "multipart" && !isMultipart)
    throw new Problem("media-type-not-supported", "Send the files as multipart/form-data, in parts named file[].");
  if (kind === "json" && isMultipart)
    throw new Problem("media-type-not-supported", "Send the body as application/json.");
}

/** Keeps the files in the system's temporary folder until the answer is sent, and the fields as the request's body. */
export async function receiveFiles(request: FastifyRequest, rules: FileRules): Promise<ReceivedFile[]> {
  const limits = {
    files: rules.most,
    fileSize: rules.largestBytes,
    fields: 20,
    fieldSize: 10_000,
    parts: rules.most + 20,
  };
  const saved = await request.saveRequestFiles({ limits }).catch((error: unknown) => {
    throw tooLarge(error, rules) ?? brokenOff(error) ?? error;
  });
  request.body = Object.fromEntries(
    Object.entries(saved.values).map(([name, field]) => [name, isField(field) ? field.value : field]),
  );
  return saved.files.map((file) => ({
    name: file.filename,
    path: file.filepath,
    sizeBytes: file.file.bytesRead,
  }));
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

/** What the parser of multipart/form-data throws has no code; a fault of the disk has one. */
const brokenOff = (error: unknown): Problem | null =>
  error instanceof Error && !("code" in error)
    ? new Problem("malformed-request", "The files did not arrive whole. Send them again.", { cause: error })
    : null;

const isField = (field: unknown): field is { value: unknown } =>
  typeof field === "object" && field !== null && "value" in field;
