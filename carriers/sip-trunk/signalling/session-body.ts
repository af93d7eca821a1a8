interface Message {
  body: string;
  getHeader(name: string): string | undefined;
}

/** The SDP in a message's body, alone or in a multipart (RFC 5621, section 3); empty if there is none. */
export function sdpIn(message: Message): string {
  const type = message.getHeader("content-type");
  if (type === undefined) return message.body.startsWith("v=0") ? message.body : "";
  return sdpOfType(type, message.body);
}

function sdpOfType(type: string, body: string): string {
  if (/^\s*application\/sdp\b/i.test(type)) return body;
  if (!/^\s*multipart\//i.test(type)) return "";
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return "";
  return partsOf(body, boundary).find((sdp) => sdp !== "") ?? "";
}

/** The SDP of each part. A part may itself be a multipart (RFC 2046, section 5.1). */
function partsOf(body: string, boundary: string): string[] {
  const [, ...parts] = `\n${body}`.split(`\n--${boundary}`);
  return parts.map((part) => {
    if (part.startsWith("--")) return "";
    const afterBoundary = part.replace(/^[ \t]*\r?\n/, "");
    const end = /\r?\n\r?\n/.exec(`\n${afterBoundary}`);
    if (!end) return "";
    const head = afterBoundary.slice(0, Math.max(0, end.index - 1));
    // The line end before a boundary belongs to the boundary, but SDP needs its own.
    const content = afterBoundary.slice(end.index + end[0].length - 1).replace(/\r?$/, "\r\n");
    const type = /^content-type\s*:\s*(.*)$/im.exec(head)?.[1] ?? "text/plain";
    return sdpOfType(type.trim(), content);
  });
}
