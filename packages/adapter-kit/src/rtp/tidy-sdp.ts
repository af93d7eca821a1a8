/** The attributes that are read here; others are unchanged. */
const read = ["rtpmap", "fmtp", "crypto", "rtcp", "rtcp-mux", "sendrecv", "sendonly", "recvonly", "inactive"];

/** Removes a port count (`m=audio 9000/1`), which the parser doesn't support. */
const tidyMedia = (value: string): string =>
  value.replace(/^\S+/, (medium) => medium.toLowerCase()).replace(/^(\S+ \d+) ?\/ ?\d+ /, "$1 ");

const tidyAddressType = (value: string): string => value.replace(/\bin ip[46]\b/i, (type) => type.toUpperCase());

function tidyAttribute(value: string): string {
  const [written = "", ...rest] = value.split(":");
  const name = written.trim().toLowerCase();
  if (!read.includes(name)) return value;
  return [name, ...(rest.length > 0 ? [rest.join(":").trim()] : [])].join(":");
}

const tidy: Record<string, (value: string) => string> = {
  m: tidyMedia,
  o: tidyAddressType,
  // The parser doesn't support a multicast TTL after an address either.
  c: (value) => tidyAddressType(value).replace(/^(IN IP[46] [^\s/]+)\/.*/, "$1"),
  a: tidyAttribute,
};

/** Normalises a description: single spaces where the grammar has them, and comparable case. */
export const tidySdp = (sdp: string): string =>
  sdp
    .split(/\r\n|\r|\n/)
    .map(tidyLine)
    .join("\r\n");

function tidyLine(line: string): string {
  const equals = line.indexOf("=");
  const type = line.slice(0, Math.max(0, equals)).trim().toLowerCase();
  if (type.length !== 1) return line;
  const value = line.slice(equals + 1);
  const tidyValue = tidy[type];
  return `${type}=${tidyValue ? tidyValue(value.trim().replaceAll(/\s+/g, " ")) : value}`;
}
