import { createHash } from "node:crypto";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { writeResponse } from "../testing/raw-sip.ts";
import { until } from "../testing/start-program.ts";
import type { Received } from "../testing/start-raw-peer.ts";

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
const field = (header: string, name: string): string => new RegExp(`\\b${name}="?([^",]+)`).exec(header)?.[1] ?? "";

/** Whether this header proves knowledge of the password, for that realm and nonce. */
function proves(request: Received, name: string, realm: string, nonce: string): boolean {
  const header = request.headers(name).find((each) => field(each, "realm") === realm) ?? "";
  const what = md5(`${request.what}:${field(header, "uri")}`);
  return (
    field(header, "nonce") === nonce &&
    field(header, "response") === md5(`${md5(`agent:${realm}:secret`)}:${nonce}:${what}`)
  );
}

const asks = (name: "WWW" | "Proxy", realm: string, nonce: string, more = ""): string =>
  `${name}-Authenticate: Digest realm="${realm}", nonce="${nonce}", algorithm=MD5${more}`;

let raw: RawTrunk;
beforeEach(async () => {
  raw = await openRawTrunk({ authentication: "digest", user: "agent", password: "secret" });
});
afterEach(() => raw.close());

const refuse = (request: Received, status: string, headers: string[]): void =>
  void raw.peer.reply(request, status, { headers, toTag: "challenger", contact: null });

describe("a challenged call", () => {
  it("with 407 and then 401 is put through, with the INVITE's credentials in each ACK", async () => {
    const call = await raw.dial();
    expect(call.invite.header("proxy-authorization")).toBe(undefined);
    refuse(call.invite, "407 Proxy Authentication Required", [asks("Proxy", "edge", "n1")]);
    const second = await raw.peer.next("INVITE");
    expect((await raw.peer.next("ACK")).header("proxy-authorization")).toBe(undefined);
    expect(proves(second, "proxy-authorization", "edge", "n1")).toBe(true);
    refuse(second, "401 Unauthorized", [asks("WWW", "core", "n2")]);
    const third = await raw.peer.next("INVITE");
    const refused = await raw.peer.next("ACK");
    expect(refused.header("proxy-authorization")).toBe(second.header("proxy-authorization"));
    expect(refused.header("via")).toBe(second.header("via"));
    expect(proves(third, "proxy-authorization", "edge", "n1")).toBe(true);
    expect(proves(third, "authorization", "core", "n2")).toBe(true);
    expect([call.invite, second, third].map((each) => parseInt(each.header("cseq") ?? "", 10))).toEqual([1, 2, 3]);
    for (const name of ["call-id", "from"])
      expect(new Set([call.invite, second, third].map((each) => each.header(name))).size).toBe(1);
    raw.peer.reply(third, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    const ack = await raw.peer.next("ACK");
    expect(ack.header("cseq")).toBe("3 ACK");
    expect(ack.text).toMatch(/^Authorization: .*\r\nProxy-Authorization: /m);
    expect(ack.header("authorization")).toBe(third.header("authorization"));
    expect(ack.header("proxy-authorization")).toBe(third.header("proxy-authorization"));
    expect(await raw.talk(call.endpoint)).toBeGreaterThan(0.9);
  });

  it("in two realms at once answers both, with one header each", async () => {
    const call = await raw.dial();
    refuse(call.invite, "407 Proxy Authentication Required", [asks("Proxy", "a", "n1"), asks("Proxy", "b", "n2")]);
    const second = await raw.peer.next("INVITE");
    expect(second.headers("proxy-authorization")).toHaveLength(2);
    expect(proves(second, "proxy-authorization", "a", "n1")).toBe(true);
    expect(proves(second, "proxy-authorization", "b", "n2")).toBe(true);
    raw.peer.reply(second, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    await raw.peer.next("ACK");
    expect((await raw.peer.next("ACK")).headers("proxy-authorization")).toEqual(second.headers("proxy-authorization"));
  });

  const statuses = [
    ["401 Unauthorized", "WWW-Authenticate", "authorization"],
    ["407 Proxy Authentication Required", "Proxy-Authenticate", "proxy-authorization"],
  ] as const;
  const written = [
    'Digest realm="a", nonce="n1", Digest realm="b", nonce="n2"',
    'Basic realm="a", Digest realm="a", nonce="n1"',
    'Bearer realm="z", error="none", Digest realm="a", nonce="n1"',
    'Digest realm="a", nonce="n1",',
    'Digest realm="a",, nonce="n1"',
    "Digest realm=a,nonce=n1==",
    'Digest realm="a", nonce="n1", qop=""',
    'digest  realm = "a" , nonce = "n1" , unknown = x',
  ];
  it.each(statuses.flatMap((status) => written.map((challenge) => [challenge, ...status] as const)))(
    "with %s is answered, with %s",
    async (challenge, status, asking, answering) => {
      const call = await raw.dial();
      refuse(call.invite, status, [`${asking}: ${challenge}`]);
      const second = await raw.peer.next("INVITE");
      expect(proves(second, answering, "a", challenge.includes("n1==") ? "n1==" : "n1")).toBe(true);
      expect(proves(second, answering, "b", "n2")).toBe(challenge.includes('"b"'));
      raw.peer.reply(second, "200 OK", { body: raw.rtp.describe() });
      await call.answered();
    },
  );
  it.each(statuses)("with MD5-sess and unquoted qop values is answered, with %s", async (status, asking, answering) => {
    const call = await raw.dial();
    refuse(call.invite, status, [`${asking}: Digest realm="a", nonce="n1", algorithm=MD5-sess, qop=auth,auth-int`]);
    const header = (await raw.peer.next("INVITE")).header(answering) ?? "";
    const who = md5(`${md5("agent:a:secret")}:n1:${field(header, "cnonce")}`);
    const what = md5(`INVITE:${field(header, "uri")}`);
    expect(field(header, "response")).toBe(md5(`${who}:n1:00000001:${field(header, "cnonce")}:auth:${what}`));
  });

  it("in a realm with quotes and a comma answers that realm as it was written", async () => {
    const call = await raw.dial();
    const realm = String.raw`Ada's \"PBX\", main`;
    refuse(call.invite, "401 Unauthorized", [
      asks("WWW", realm, "n1", ', stale=FALSE, qop="auth-int,auth", opaque=""'),
    ]);
    const header = (await raw.peer.next("INVITE")).header("authorization") ?? "";
    const of = (name: string) => new RegExp(String.raw`\b${name}="((?:[^"\\]|\\.)*)"`).exec(header)?.[1] ?? "";
    expect(of("realm")).toBe(realm);
    expect(header).toContain('opaque=""');
    const account = md5(`agent:${realm.replaceAll("\\", "")}:secret`);
    const what = md5(`INVITE:${of("uri")}`);
    expect(of("response")).toBe(md5(`${account}:n1:00000001:${of("cnonce")}:auth:${what}`));
  });
});

describe("a call that is challenged again", () => {
  it("with a stale nonce is put through, and without one is refused for its credentials", async () => {
    const call = await raw.dial();
    refuse(call.invite, "401 Unauthorized", [asks("WWW", "a", "n1")]);
    const second = await raw.peer.next("INVITE");
    refuse(second, "401 Unauthorized", [asks("WWW", "a", "n2", ", stale=true")]);
    const third = await raw.peer.next("INVITE");
    expect(proves(third, "authorization", "a", "n2")).toBe(true);
    refuse(third, "401 Unauthorized", [asks("WWW", "a", "n3")]);
    expect(await call.ended()).toEqual({ reason: "credentials-refused", sip: 401, q850: 21 });
    expect(raw.peer.all("INVITE")).toHaveLength(3);
    // It is acted on, not dropped.
    expect(raw.dropped).toEqual([]);
    const challenges = raw.trunk.trace?.().messages.filter(({ summary }) => summary.includes(" 401 "));
    expect(challenges?.map(({ ignored }) => ignored)).toEqual([null, null, null]);
  });

  it("acknowledges a retransmitted refusal as it did the first time", async () => {
    const call = await raw.dial();
    const text = writeResponse(call.invite, "407 Proxy Authentication Required", {
      headers: [asks("Proxy", "a", "n1")],
    });
    raw.peer.send(text, call.invite.from);
    await raw.peer.next("INVITE");
    const first = await raw.peer.next("ACK");
    raw.peer.send(text, call.invite.from);
    expect((await raw.peer.next("ACK")).text).toBe(first.text);
    expect(first.header("cseq")).toBe("1 ACK");
    expect(first.header("via")).toBe(call.invite.header("via"));
    expect(raw.peer.all("INVITE")).toHaveLength(2);
  });

  it("answers a challenge to its BYE, and continues the CSeq of its dialog", async () => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    const leaving = call.leg.hangUp();
    refuse(await raw.peer.next("BYE"), "407 Proxy Authentication Required", [asks("Proxy", "a", "n1")]);
    const bye = await raw.peer.next("BYE");
    expect(proves(bye, "proxy-authorization", "a", "n1")).toBe(true);
    expect(bye.header("cseq")).toBe("3 BYE");
    raw.peer.reply(bye, "200 OK");
    await leaving;
  });

  it("logs a challenge to its BYE that arrives a second time", async () => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    const leaving = call.leg.hangUp();
    const first = await raw.peer.next("BYE");
    refuse(first, "407 Proxy Authentication Required", [asks("Proxy", "a", "n1")]);
    const second = await raw.peer.next("BYE");
    refuse(first, "407 Proxy Authentication Required", [asks("Proxy", "a", "n1")]);
    await until("it is logged", () => raw.dropped.length > 0);
    expect(raw.dropped).toMatchObject([
      {
        firstLine: "SIP/2.0 407 Proxy Authentication Required",
        why: "It responds to a request that was sent again since.",
      },
    ]);
    raw.peer.reply(second, "200 OK");
    await leaving;
    expect(raw.peer.all("BYE")).toHaveLength(2);
  });
});
