import { splitMessage } from "./transport/sip-text.ts";

const hidden = "[hidden]";
/** A folded header continues on the next line that begins with whitespace. */
const folded = String.raw`[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*`;
const credentials = new RegExp(
  String.raw`^((?:proxy-)?authorization|(?:proxy-)?authentication-info|identity|x-api-key)([ \t]*:[ \t]*(?:digest|basic|bearer)?)${folded}`,
  "gim",
);

/** The message without passwords, digests, media keys and DTMF digits, and without bodies other than descriptions. */
export function withoutSecrets(text: string): string {
  const { head, body } = splitMessage(text);
  return (
    (
      head
        .replaceAll(credentials, `$1$2 ${hidden}`)
        // Bounded repeats: otherwise, without an @, each `sip:` would be scanned to the message's end.
        .replaceAll(/\b(sips?:[^@\s:<>]{0,128}):[^@\s<>]{0,128}@/gi, `$1:${hidden}@`)
        // For a message that is too malformed to separate its headers.
        .replaceAll(/\b((?:response|rspauth)\s*=\s*)"?[0-9a-f]{16,}"?/gi, `$1${hidden}`) + readableBody(head, body)
    ).replaceAll(/\binline:[^\s|;]+/gi, `inline:${hidden}`)
  );
}

function readableBody(head: string, body: string): string {
  const content = body.trim();
  if (content === "") return body;
  const type = /^(?:content-type|c)[ \t]*:[ \t]*([^\s;]+)/im.exec(head)?.[1]?.toLowerCase() ?? "";
  if (!/^(application\/sdp|message\/sipfrag|multipart\/)/.test(type))
    return `\r\n\r\n[body of ${Buffer.byteLength(content)} bytes, ${type === "" ? "no Content-Type" : type}]`;
  return body
    .replaceAll(/^(k=[^:\r\n]*):?[^\r\n]*/gim, `$1:${hidden}`)
    .replaceAll(/^(a=key-mgmt:\S*)[^\r\n]*/gim, `$1 ${hidden}`);
}
