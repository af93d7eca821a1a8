import { readFileSync } from "node:fs";
import { join } from "node:path";

const description = (address: string): string =>
  [
    "v=0",
    `o=mhandley 29739 7272939 IN IP4 ${address}`,
    "s=-",
    `c=IN IP4 ${address}`,
    "t=0 0",
    "m=audio 49217 RTP/AVP 0 12",
    "m=video 3227 RTP/AVP 31",
    "a=rtpmap:31 LPC",
  ].join("\n");

/** Bytes as latin1 characters, so that a string can hold any of them. */
const asLatin1 = (bytes: Buffer): string => bytes.toString("latin1");

/** All messages of RFC 4475, as bytes, by their names in the RFC. */
export function tortureMessages(): Map<string, Buffer> {
  const text = readFileSync(join(import.meta.dirname, "torture/messages.txt"), "utf8");
  const [, ...parts] = text.split(/^=== /m);
  return new Map(
    parts.map((part): [string, Buffer] => {
      const nameEnd = part.indexOf("\n");
      const written = part
        .slice(nameEnd + 1)
        .replaceAll(/<repeat count=(\d+)>(.*?)<\/repeat>/g, (_, count: string, what: string) =>
          what.repeat(Number(count)),
        )
        .replaceAll(/<sdp ([\d.]+)>/g, (_, address: string) => description(address))
        .replaceAll("\n", "\r\n");
      const bytes = asLatin1(Buffer.from(written, "utf8")).replaceAll(/<hex>([\dA-F ]*)<\/hex>/g, (_, hex: string) =>
        asLatin1(Buffer.from(hex.replaceAll(" ", ""), "hex")),
      );
      return [part.slice(0, nameEnd), Buffer.from(bytes, "latin1")];
    }),
  );
}
