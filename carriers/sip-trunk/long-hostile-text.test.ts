import { expect, test } from "vitest";
import { settings } from "./settings.ts";
import { readMessage } from "./signalling/read-message.ts";
import { readUri } from "./signalling/verbatim-uri.ts";
import { readHostAndPort } from "./transport/sip-text.ts";
import { tidyMessage } from "./transport/tidy-message.ts";
import { withoutSecrets } from "./without-secrets.ts";

// If the time grew with the square of the length, a megabyte would outlast the test.
const megabyte = 1_000_000;

test("a message that only repeats the start of a URI is traced in one pass", () => {
  const text = `OPTIONS sip:a SIP/2.0\r\nX: ${"sip:".repeat(megabyte / 4)}\r\n\r\n`;
  expect(withoutSecrets(text)).toContain("sip:sip:");
});

test("a URI with a megabyte of spaces in it is parsed in one pass", () => {
  expect(readUri(`sip:${" ".repeat(megabyte)}a`)).toBeNull();
});

const spaces = " ".repeat(megabyte);
test.each([
  ["From", `<sip:a@example.com>;tag=1;x=a${spaces}b`],
  ["From", `"a${spaces}" ${spaces}<sip:a@example.com>;tag=1;${spaces}=${spaces}b`],
  ["To", `<sip:a@example.com;${spaces}x>`],
  ["Contact", `<sip:a@example.com;x=a${spaces}b>;q=1${spaces}x`],
  ["Via", `SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK1;rport${spaces}x`],
  ["Route", `<sip:${";sip:".repeat(megabyte / 5)}>;lr`],
  ["CSeq", `1${spaces}OPTIONS${spaces}x`],
  ["X", `a${spaces}\u2028`],
  ["X", `${spaces}\u2028`],
  [`X${spaces}`, "a"],
  ["Reason", `Q.850${spaces};${spaces}cause${spaces}16`],
])("a message with a megabyte in its %s is read in one pass", (name, value) => {
  const headers = {
    Via: "SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK1",
    From: "<sip:a@example.com>;tag=1",
    To: "<sip:b@example.com>",
    "Call-ID": "1",
    CSeq: "1 OPTIONS",
    [name]: value,
  };
  const lines = Object.entries(headers).map(([each, of]) => `${each}: ${of}`);
  const text = tidyMessage(["OPTIONS sip:b@example.com SIP/2.0", ...lines, "", ""].join("\r\n"));
  expect(text).toContain("OPTIONS sip:b@example.com SIP/2.0");
  readMessage(text);
});

test("a message of carriage returns is read in one pass", () => {
  expect(tidyMessage(`OPTIONS sip:b SIP/2.0${"\r".repeat(megabyte)}x`)).toContain("OPTIONS");
});

test("a server is found in one pass in a megabyte of spaces, and of repeated schemes", () => {
  expect(readHostAndPort(`${spaces}x`)).toBeNull();
  expect(readHostAndPort(`;sip:`.repeat(megabyte / 5))).toBeNull();
  expect(readHostAndPort('"Proxy" <sip:p1.example.com:5061;lr>')).toMatchObject({ host: "p1.example.com", port: 5061 });
});

test("a megabyte of certificate beginnings is refused in one pass", () => {
  const certificateAuthority = "-----BEGIN CERTIFICATE-----".repeat(megabyte / 27);
  const { error } = settings.safeParse({ host: "example.com", certificateAuthority });
  expect(error?.issues.map(({ path }) => path.join("."))).toContain("certificateAuthority");
});
