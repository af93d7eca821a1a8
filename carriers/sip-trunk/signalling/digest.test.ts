import { createHash } from "node:crypto";

import { IncomingResponseMessage, OutgoingRequestMessage } from "sip.js/lib/core/index.js";
import { URI } from "sip.js/lib/grammar/index.js";
import { beforeEach, describe, expect, it } from "vitest";

import { ChallengeAnswers } from "./digest.ts";

const uri = "sip:+12025550101@example.com";
const md5 = 'Digest realm="r", nonce="n2", algorithm=MD5';
const sha = 'Digest realm="r", nonce="n1", algorithm=SHA-256';
const sha512 = 'Digest realm="r", nonce="n3", algorithm=SHA-512-256';

function challenged(...headers: [name: "www" | "proxy", value: string][]): IncomingResponseMessage {
  const response = new IncomingResponseMessage();
  for (const [name, value] of headers) response.addHeader(`${name}-authenticate`, value);
  return response;
}

const field = (header: string, name: string): string =>
  new RegExp(String.raw`\b${name}=(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))`).exec(header)?.slice(1).find(Boolean) ?? "";

describe("the response to a digest challenge", () => {
  let request: OutgoingRequestMessage;
  let answers: ChallengeAnswers;
  beforeEach(() => {
    const [to, from] = ["+12025550101", "agent"].map((user) => new URI("sip", user, "example.com", undefined));
    if (!to || !from) throw new Error("no addresses");
    const body = { contentDisposition: "session", contentType: "application/sdp", content: "v=0\r\n" };
    request = new OutgoingRequestMessage("INVITE", to, from, to, {}, [], body);
    answers = new ChallengeAnswers({ user: 'a"b', password: "p:w" });
  });
  const answer = (): string => answers.headers(request, "authorization").join();

  it.each([
    ["the strongest, whichever comes first", [md5, sha512, sha], "SHA-512-256"],
    ["SHA-256 before MD5", [md5, sha], "SHA-256"],
    ["MD5 if no algorithm is named", ['Digest realm="r", nonce="n"'], "MD5"],
    ["one that it knows", ['Digest realm="r", nonce="n", algorithm=SHA3-512', "Basic realm=x", md5], "MD5"],
    ["one for its qop", [`${sha}, qop="auth-conf"`, md5], "MD5"],
    ["the strongest of several in one header", [`${md5}, ${sha}`], "SHA-256"],
  ])("accepts %s", (_, offered, algorithm) => {
    expect(answers.take(challenged(...offered.map((each): ["www", string] => ["www", each])))).toBe(true);
    expect(answers.headers(request, "authorization")).toHaveLength(1);
    expect(field(answer(), "algorithm")).toBe(algorithm);
    expect(answers.headers(request, "proxy-authorization")).toEqual([]);
  });

  it.each([
    ["MD5", "md5", "auth"],
    ["SHA-256", "sha256", "auth"],
    ["SHA-512-256", "sha512-256", "auth"],
    ["MD5", "md5", "auth-int"],
    ["MD5-sess", "md5", "auth"],
    ["SHA-256-sess", "sha256", "auth-int"],
  ])("matches RFC 7616 for %s (%s) and %s, and increments the nonce count", (algorithm, hashName, qop) => {
    const hash = (text: string): string => createHash(hashName).update(text).digest("hex");
    answers.take(challenged(["www", `Digest realm="r", nonce="n", opaque="o", algorithm=${algorithm}, qop="${qop}"`]));
    for (const nc of ["00000001", "00000002"]) {
      const header = answer();
      const cnonce = field(header, "cnonce");
      const account = hash('a"b:r:p:w');
      const who = algorithm.endsWith("-sess") ? hash(`${account}:n:${cnonce}`) : account;
      const what = hash(qop === "auth" ? `INVITE:${uri}` : `INVITE:${uri}:${hash("v=0\r\n")}`);
      expect(field(header, "response")).toBe(hash(`${who}:n:${nc}:${cnonce}:${qop}:${what}`));
      expect(header).toContain(`qop=${qop}, nc=${nc}`);
      expect(header).toContain(String.raw`username="a\"b"`);
      expect(header).toContain('opaque="o"');
    }
  });

  it("prefers auth to auth-int, and follows RFC 2069 without qop", () => {
    answers.take(challenged(["www", 'Digest realm="r", nonce="n", qop="auth-int,auth"']));
    expect(field(answer(), "qop")).toBe("auth");
    const plain = new ChallengeAnswers({ user: "u", password: "p" });
    plain.take(challenged(["www", 'Digest realm="r", nonce="n"']));
    const hash = (text: string): string => createHash("md5").update(text).digest("hex");
    const header = plain.headers(request, "authorization").join();
    expect(field(header, "response")).toBe(hash(`${hash("u:r:p")}:n:${hash(`INVITE:${uri}`)}`));
    expect(header).not.toContain("qop");
    expect(header).not.toContain("cnonce");
  });

  it("parses and writes a realm with escaped quotes and commas", () => {
    answers.take(challenged(["www", String.raw`Digest realm="the \"best\", they say", nonce="n"`]));
    const hash = (text: string): string => createHash("md5").update(text).digest("hex");
    expect(answer()).toContain(String.raw`realm="the \"best\", they say"`);
    const who = hash('a"b:the "best", they say:p:w');
    expect(field(answer(), "response")).toBe(hash(`${who}:n:${hash(`INVITE:${uri}`)}`));
  });

  it("is given to every realm, in the matching header, and repeated for the next", () => {
    expect(
      answers.take(challenged(["proxy", 'Digest realm="a", nonce="1"'], ["proxy", 'Digest realm="b", nonce="2"'])),
    ).toBe(true);
    expect(answers.headers(request, "proxy-authorization").map((each) => field(each, "realm"))).toEqual(["a", "b"]);
    expect(answers.take(challenged(["www", 'Digest realm="c", nonce="3"']))).toBe(true);
    expect(answers.headers(request, "proxy-authorization")).toHaveLength(2);
    expect(field(answer(), "realm")).toBe("c");
  });

  it("is not repeated for the same realm, unless its nonce was stale, and not endlessly then", () => {
    expect(answers.take(challenged(["www", md5]))).toBe(true);
    expect(answers.take(challenged(["www", md5.replace("n2", "n9")]))).toBe(false);
    expect(answers.take(challenged(["www", `${md5.replace("n2", "n9")}, stale=TRUE`]))).toBe(true);
    expect(field(answer(), "nonce")).toBe("n9");
    const rounds = Array.from({ length: 20 }, () => answers.take(challenged(["www", `${md5}, stale=true`])));
    expect(rounds.at(-1)).toBe(false);
  });

  it("is not given to an unsupported challenge", () => {
    expect(answers.take(challenged(["www", "Basic realm=x"]))).toBe(false);
    expect(answers.take(challenged(["www", 'Digest realm="r", nonce="n", algorithm=SHA3-512']))).toBe(false);
    expect(answers.take(challenged())).toBe(false);
  });
});
