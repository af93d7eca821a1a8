import { expect, test } from "vitest";
import { readUri } from "./signalling/verbatim-uri.ts";
import { withoutSecrets } from "./without-secrets.ts";

// Where the time grows with the square of the length, a megabyte outlasts the test.
const megabyte = 1_000_000;

test("a message of nothing but the beginnings of URIs is read for the trace in one pass", () => {
  const text = `OPTIONS sip:a SIP/2.0\r\nX: ${"sip:".repeat(megabyte / 4)}\r\n\r\n`;
  expect(withoutSecrets(text)).toContain("sip:sip:");
});

test("a URI with a megabyte of blanks in it is read in one pass", () => {
  expect(readUri(`sip:${" ".repeat(megabyte)}a`)).toBeNull();
});
