import { expect, test } from "vitest";
import { readUri } from "./signalling/verbatim-uri.ts";
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
