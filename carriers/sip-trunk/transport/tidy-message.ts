/** RFC 3261, section 20, and additions in later RFCs. */
const compactForms: Record<string, string> = {
  a: "Accept-Contact",
  b: "Referred-By",
  c: "Content-Type",
  d: "Request-Disposition",
  e: "Content-Encoding",
  f: "From",
  i: "Call-ID",
  j: "Reject-Contact",
  k: "Supported",
  l: "Content-Length",
  m: "Contact",
  o: "Event",
  r: "Refer-To",
  s: "Subject",
  t: "To",
  u: "Allow-Events",
  v: "Via",
  x: "Session-Expires",
  y: "Identity",
};

/**
 * Normalises a message for everything behind the transport: CRLF line ends, no folded lines, no compact names, no space
 * before a colon, methods in upper case. Values and the body are unchanged.
 */
export function tidyMessage(text: string): string {
  const trimmed = text.replace(/^[\r\n]+/, "");
  const end = /\r?\n\r?\n/.exec(trimmed);
  const head = end ? trimmed.slice(0, end.index) : trimmed.replace(/[\r\n]+$/, "");
  const body = end ? trimmed.slice(end.index + end[0].length) : "";
  const [start = "", ...lines] = head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return [tidyStart(start), ...lines.map(tidyHeader), "", body].join("\r\n");
}

function tidyStart(line: string): string {
  const words = line.trim().split(/[ \t]+/);
  const [first = "", ...rest] = words;
  if (/^sip\//i.test(first)) return [first.toUpperCase(), ...rest].join(" ");
  const version = rest.pop() ?? "";
  return [first.toUpperCase(), ...rest, /^sip\//i.test(version) ? version.toUpperCase() : version].join(" ");
}

function tidyHeader(line: string): string {
  const found = /^([^\s:]+)[ \t]*:[ \t]*(.*)$/.exec(line);
  if (!found) return line;
  const [, written = "", value = ""] = found;
  const name = compactForms[written.toLowerCase()] ?? written;
  if (name.toLowerCase() !== "cseq") return `${name}: ${value.trimEnd()}`;
  const [number = "", ...method] = value.trim().split(/[ \t]+/);
  return `${name}: ${[number, ...method].join(" ").toUpperCase()}`;
}
