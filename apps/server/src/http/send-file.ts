import type { FastifyReply } from "fastify";
import { readByteRange } from "./read-byte-range.ts";
import type { FileAnswer } from "./route.ts";

/** Guarantee: `route()` lets a handler of a "file" entry return nothing else. */
const asFileAnswer = (answer: unknown): FileAnswer => answer as FileAnswer;

/** Always an attachment: no browser should display or run an uploaded file as a page of ours. */
export function sendFile(reply: FastifyReply, answer: unknown): FastifyReply {
  const file = asFileAnswer(answer);
  void reply
    .header("cache-control", "private, no-store")
    .header("content-disposition", attachment(file.name))
    .header("content-security-policy", "default-src 'none'; sandbox")
    .type(file.mediaType);
  if (!("read" in file)) {
    if (file.sizeBytes !== undefined) void reply.header("content-length", file.sizeBytes);
    return reply.send(file.content);
  }
  const { sizeBytes } = file;
  const range = readByteRange(reply.request.headers.range, sizeBytes);
  void reply.header("accept-ranges", "bytes");
  if (range === "unsatisfiable")
    return reply.status(416).header("content-range", `bytes */${sizeBytes}`).header("content-length", 0).send();
  const { firstByte, lastByte } = range ?? { firstByte: 0, lastByte: sizeBytes - 1 };
  if (range) void reply.status(206).header("content-range", `bytes ${firstByte}-${lastByte}/${sizeBytes}`);
  return reply.header("content-length", lastByte - firstByte + 1).send(file.read({ firstByte, lastByte }));
}

/** RFC 6266, with RFC 8187 for non-ASCII names. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
