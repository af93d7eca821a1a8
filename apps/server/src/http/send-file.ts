import type { FastifyReply } from "fastify";
import type { FileAnswer } from "./route.ts";

/** Guarantee: `route()` lets a handler of a "file" entry answer nothing else. */
const asFileAnswer = (answer: unknown): FileAnswer => answer as FileAnswer;

/** Always as an attachment: whatever somebody uploaded, no browser shows or runs it as a page of ours. */
export function sendFile(reply: FastifyReply, answer: unknown): FastifyReply {
  const { name, mediaType, sizeBytes, content } = asFileAnswer(answer);
  if (sizeBytes !== undefined) void reply.header("content-length", sizeBytes);
  return reply
    .header("cache-control", "private, no-store")
    .header("content-disposition", attachment(name))
    .header("content-security-policy", "default-src 'none'; sandbox")
    .type(mediaType)
    .send(content);
}

/** RFC 6266, with RFC 8187 for what is not ASCII. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
