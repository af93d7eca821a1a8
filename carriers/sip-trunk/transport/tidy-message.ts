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
  const head = end ? trimmed.slice(0, end.index) : withoutLineEnds(trimmed);
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

/** A loop, as /[\r\n]+$/ takes time in the square of a run of line ends. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\r" || text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

function tidyHeader(line: string): string {
  const colon = line.indexOf(":");
  const [, written] = /^([^\s:]+)[ \t]*$/.exec(line.slice(0, Math.max(0, colon))) ?? [];
  if (written === undefined) return line;
  const name = compactForms[written.toLowerCase()] ?? written;
  const value = line.slice(colon + 1).trim();
  if (name.toLowerCase() !== "cseq") return `${name}: ${value}`;
  return `${name}: ${value
    .split(/[ \t]+/)
    .join(" ")
    .toUpperCase()}`;
}
