import { createHash } from "node:crypto";

import { LoggerFactory, OutgoingRequestMessage } from "sip.js/lib/core/index.js";
import { URI } from "sip.js/lib/grammar/index.js";
import { describe, expect, it } from "vitest";

import { keepBestChallenge, TrunkDigest } from "./digest.ts";

const response = (...challenges: string[]): string =>
  ["SIP/2.0 401 Unauthorized", "Call-ID: x", ...challenges, "CSeq: 1 REGISTER", "", ""].join("\r\n");
const sha = 'WWW-Authenticate: Digest realm="r", nonce="n1", algorithm=SHA-256';
const md5 = 'WWW-Authenticate: Digest realm="r", nonce="n2", algorithm=MD5';
const unknown = 'WWW-Authenticate: Digest realm="r", nonce="n3", algorithm=SHA-512-256';
const unreadable = 'WWW-Authenticate: Digest realm="r", nonce="n4", algorithm=MD5-sess, qop="auth"';

describe("of several challenges", () => {
  it.each([
    ["the stronger is kept, whichever comes first", [md5, sha], sha],
    [
      "one without an algorithm is MD5",
      [unknown, 'WWW-Authenticate: Digest realm="r", nonce="n"'],
      'WWW-Authenticate: Digest realm="r", nonce="n"',
    ],
    ["what nobody here can answer is left out", [unreadable, unknown, md5], md5],
  ] as const)("%s", (_, offered, kept) => {
    expect(keepBestChallenge(response(...offered))).toBe(response(kept));
  });

  it("none is left where none can be answered, and the rest stays as it is", () => {
    expect(keepBestChallenge(response(unknown, "Proxy-Authenticate: Basic realm=x"))).toBe(response());
  });
});

describe("an answer to a challenge", () => {
  const request = new OutgoingRequestMessage(
    "REGISTER",
    new URI("sip", "", "example.com", undefined),
    new URI("sip", "agent", "example.com", undefined),
    new URI("sip", "agent", "example.com", undefined),
    {},
  );
  const loggerFactory = new LoggerFactory();
  loggerFactory.builtinEnabled = false;
  const digest = () => new TrunkDigest(loggerFactory, { user: 'a"b', password: "p:w" });
  const field = (header: string, name: string): string => new RegExp(`${name}="?([^",]+)"?`).exec(header)?.[1] ?? "";

  it.each(["MD5", "SHA-256"] as const)("is RFC 7616's, in %s, and counts a nonce's uses", (algorithm) => {
    const hash = (text: string) => createHash(algorithm.replace("-", "").toLowerCase()).update(text).digest("hex");
    const answering = digest();
    for (const nc of ["00000001", "00000002"]) {
      expect(answering.authenticate(request, { realm: "r", nonce: "n", algorithm, qop: ["auth", "auth-int"] })).toBe(
        true,
      );
      const header = answering.toString();
      const who = hash('a"b:r:p:w');
      const what = hash("REGISTER:sip:example.com");
      expect(field(header, "response")).toBe(hash(`${who}:n:${nc}:${field(header, "cnonce")}:auth:${what}`));
      expect(header).toContain(`nc=${nc}`);
      expect(header).toContain(String.raw`username="a\"b"`);
    }
  });

  it("without a quality of protection is RFC 2069's", () => {
    const answering = digest();
    expect(answering.authenticate(request, { realm: "r", nonce: "n", opaque: "o" })).toBe(true);
    const md5Of = (text: string) => createHash("md5").update(text).digest("hex");
    const header = answering.toString();
    expect(field(header, "response")).toBe(md5Of(`${md5Of('a"b:r:p:w')}:n:${md5Of("REGISTER:sip:example.com")}`));
    expect(header).toContain('opaque="o"');
    expect(header).not.toContain("qop");
  });

  it("is not given where only integrity, or an algorithm unknown here, is taken", () => {
    expect(digest().authenticate(request, { realm: "r", nonce: "n", qop: ["auth-int"] })).toBe(false);
    expect(digest().authenticate(request, { realm: "r", nonce: "n", algorithm: "SHA-512-256" })).toBe(false);
  });
});
