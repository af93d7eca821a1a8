import { setTimeout as sleep } from "node:timers/promises";

import type { CallerVerification } from "@leadline/contract/caller-verification";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { writeInDialog } from "../testing/raw-sip.ts";
import type { Received } from "../testing/start-raw-peer.ts";

const cleared = 'Q.850;cause=16;text="Normal call clearing"';

let raw: RawTrunk;
beforeEach(async () => {
  raw = await openRawTrunk();
});
afterEach(() => raw.close());

const invite = (more: { headers?: string[]; contact?: string } = {}) =>
  raw.peer.write("INVITE", raw.place, { callId: "in", body: raw.rtp.describe(), ...more });

describe("an inbound call", () => {
  it.each<[string, (text: string) => string]>([
    ["as it should be", (text) => text],
    ["to a tel: URI", (text) => text.replace(/^INVITE \S+/, "INVITE tel:+442079460123")],
    [
      "to and from tel: URIs, with a tel: Contact",
      (text) =>
        text
          .replace(/^INVITE \S+/, "INVITE tel:+442079460123")
          .replace(/From: <[^>]*>/, "From: <tel:+44-20-7183-8750>")
          .replace(/To: <[^>]*>/, "To: <tel:+442079460123>")
          .replace(/Contact: <[^>]*>/, "Contact: <tel:+442071838750>"),
    ],
    [
      "in compact headers",
      (text) =>
        text
          .replace("Via:", "v:")
          .replace("From:", "f:")
          .replace("To:", "t:")
          .replace("Call-ID:", "i:")
          .replace("Contact:", "m:")
          .replace("Content-Type:", "c:")
          .replace("Content-Length:", "l:"),
    ],
    [
      "in lower case",
      (text) =>
        text
          .replace(/^INVITE/, "invite")
          .replaceAll(/^[\w-]+:/gm, (name) => name.toLowerCase())
          .replace("1 INVITE", "1 invite"),
    ],
    [
      "with line feeds alone in its head",
      (text) => text.replace(/^.*?\r\n\r\n/s, (head) => head.replaceAll("\r\n", "\n")),
    ],
    ["without a branch", (text) => text.replace(/;branch=[^;\r]+/, "")],
    ["without a From tag", (text) => text.replace(";tag=peer", "")],
    [
      "without a Content-Length and Max-Forwards",
      (text) => text.replace(/Content-Length:.*\r\n/, "").replace(/Max-Forwards:.*\r\n/, ""),
    ],
    [
      "through two proxies",
      (text) =>
        text.replace(
          "Via:",
          "Via: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKp;rport, SIP/2.0/UDP 192.0.2.7;branch=z9hG4bKq\r\nVia:",
        ),
    ],
    ["with folded headers", (text) => text.replace("CSeq: ", "CSeq:\r\n ").replace(";branch", "\r\n ;branch")],
  ])("%s is answered, has audio both ways and ends", async (_, write) => {
    const text = write(invite());
    const call = await raw.ring(text);
    expect([call.from, call.to]).toEqual(["+442071838750", "+442079460123"]);
    const { endpoint, kinds, leg } = await raw.take(call);
    const ok = await raw.peer.next("200");
    for (const name of ["From", "Call-ID"])
      expect(ok.header(name)).toBe(
        new RegExp(`^(?:${name}|${name === "From" ? "f" : "i"}) ?: ?(.*?)\r?$`, "im").exec(text)?.[1],
      );
    raw.peer.request({ ...raw.peer.asCaller(ok), place: raw.place }, "ACK", { cseq: 1 });
    expect(await raw.talk(endpoint)).toBeGreaterThan(0.9);
    const leaving = leg.hangUp();
    const bye = await raw.peer.next("BYE");
    expect(bye.header("to")).toBe(ok.header("from"));
    expect(bye.header("from")).toBe(ok.header("to"));
    expect(bye.header("reason")).toBe(cleared);
    raw.peer.reply(bye, "200 OK", { contact: null });
    await leaving;
    expect(kinds).toEqual(["answered"]);
  });

  it.each([
    ["a scheme that it doesn't know", /^INVITE \S+/, "INVITE mailto:ada@example.com", "416"],
    ["a URI that can't be read", /^INVITE \S+/, "INVITE sip:a b@", "400"],
    ["a From that can't be read", /From: .*/, "From: <nobody>;tag=x", "400"],
    ["a session timer below 90 s", "Content-Type", "Session-Expires: 30\r\nSupported: timer\r\nContent-Type", "422"],
  ])("with %s is refused", async (_, what, by, status) => {
    raw.peer.send(invite().replace(what, by), raw.place);
    const refusal = await raw.peer.next(status);
    expect(refusal.header("min-se")).toBe(status === "422" ? "90" : undefined);
    expect(raw.calls).toEqual([]);
  });

  it("is cancelled once its INVITE expires", async () => {
    const call = await raw.ring(invite({ headers: ["Expires: 1"] }));
    let givenUp = false;
    call.onGivenUp(() => (givenUp = true));
    await raw.peer.next("487");
    expect(givenUp).toBe(true);
  });

  it.each(["REFER", "MESSAGE", "SUBSCRIBE", "REGISTER", "PUBLISH", "MADEUP"])(
    "can't be made by %s, which is refused with 405 and the allowed methods",
    async (method) => {
      raw.peer.send(raw.peer.write(method, raw.place, { callId: "out" }), raw.place);
      const refusal = await raw.peer.next("405");
      expect(refusal.header("allow")).toMatch(/INVITE.*UPDATE/);
      expect(refusal.header("allow")).not.toMatch(/REFER|MESSAGE|SUBSCRIBE|REGISTER/);
    },
  );
});

describe("an ACK in the transaction of its INVITE", () => {
  /** The INVITE's own headers, with the tag of our answer. */
  const acknowledge = (text: string, ok: Received): void =>
    raw.peer.send(
      text
        .replace(/^INVITE/, "ACK")
        .replace(/^(CSeq: \d+) INVITE/m, "$1 ACK")
        .replace(/^To: .*$/m, `To: ${ok.header("to")}`)
        .replace(/Content-Type.*/s, "Content-Length: 0\r\n\r\n"),
      raw.place,
    );
  const answersTo = (cseq: string) => raw.peer.all("200").filter((each) => each.header("cseq") === cseq);

  it.each<[string, (text: string) => string]>([
    ["with its branch", (text) => text],
    ["without a branch, as in RFC 2543", (text) => text.replace(/;branch=[^;\r]+/, "")],
  ])("%s acknowledges the call and a change of it", async (_, write) => {
    const text = write(invite());
    const { leg, kinds } = await raw.take(await raw.ring(text));
    const ok = await raw.peer.next("200");
    acknowledge(text, ok);
    const dialog = { ...raw.peer.asCaller(ok), sentBy: `127.0.0.1:${raw.peer.port}` };
    const body = raw.rtp.describe(["a=sendonly"]);
    const change = write(writeInDialog(dialog, "INVITE", { cseq: 2, contact: raw.peer.contact, body }));
    raw.peer.send(change, raw.place);
    acknowledge(change, await raw.peer.next("200"));
    // An unacknowledged answer is repeated after 0.5 s.
    await sleep(1_200);
    expect([answersTo("1 INVITE").length, answersTo("2 INVITE").length]).toEqual([1, 1]);
    expect(raw.dropped).toEqual([]);
    expect(kinds).toEqual(["answered", "redescribed", "held"]);
    const leaving = leg.hangUp();
    raw.peer.reply(await raw.peer.next("BYE", { withinMs: 1_000 }), "200 OK", { contact: null });
    await leaving;
  });
});

describe("the caller of an inbound call", () => {
  it.each<
    [string, string[], { from: string | null; verification: CallerVerification | null; forwardedBy: string | null }]
  >([
    [
      "P-Asserted-Identity with user parameters",
      ["P-Asserted-Identity: <sip:+12025550177;verstat=TN-Validation-Passed-A@x;user=phone>"],
      { from: "+12025550177", verification: "passed-a", forwardedBy: null },
    ],
    [
      "a tel: P-Asserted-Identity",
      ['P-Asserted-Identity: "A, B" <tel:+1-202-555-0177;verstat=TN-Validation-Failed>'],
      { from: "+12025550177", verification: "failed", forwardedBy: null },
    ],
    [
      "P-Asserted-Identity before Remote-Party-ID",
      ["Remote-Party-ID: <sip:+12025550188@x>;party=calling", "P-Asserted-Identity: <sip:+12025550177@x>"],
      { from: "+12025550177", verification: null, forwardedBy: null },
    ],
    [
      "Remote-Party-ID before From",
      ["Remote-Party-ID: <sip:+12025550188@x>;party=calling;privacy=off"],
      { from: "+12025550188", verification: null, forwardedBy: null },
    ],
    [
      "P-Asserted-Identity with the verification in its second value",
      ["P-Asserted-Identity: <sip:+12025550177@x>, <tel:+1-202-555-0177;verstat=TN-Validation-Passed>"],
      { from: "+12025550177", verification: "passed", forwardedBy: null },
    ],
    [
      "P-Asserted-Identity without another number's verification",
      ["P-Asserted-Identity: <sip:+12025550177@x>, <tel:+12025550188;verstat=TN-Validation-Passed>"],
      { from: "+12025550177", verification: null, forwardedBy: null },
    ],
    [
      "Remote-Party-ID of the calling party alone",
      [
        "Remote-Party-ID: <sip:+12025550199@x>;party=called;privacy=full",
        "Remote-Party-ID: <sip:+12025550188@x>;party=Calling;privacy=off",
      ],
      { from: "+12025550188", verification: null, forwardedBy: null },
    ],
    [
      "From next to the Remote-Party-ID of the called party",
      ["Remote-Party-ID: <sip:+12025550199@x>;party=called"],
      { from: "+442071838750", verification: null, forwardedBy: null },
    ],
    [
      "Remote-Party-ID that asks for privacy",
      ["Remote-Party-ID: <sip:+12025550188@x>;privacy=full"],
      { from: null, verification: null, forwardedBy: null },
    ],
    [
      "Privacy",
      ["P-Asserted-Identity: <sip:+12025550177@x>", "Privacy: id"],
      { from: null, verification: null, forwardedBy: null },
    ],
    [
      "verstat of the URI",
      ["P-Asserted-Identity: <sip:+12025550177@x;verstat=No-TN-Validation>"],
      { from: "+12025550177", verification: "none", forwardedBy: null },
    ],
    [
      "Diversion",
      ["Diversion: <sip:+12025550166@x>;reason=unconditional, <tel:+12025550155>;reason=user-busy"],
      { from: "+442071838750", verification: null, forwardedBy: "+12025550166" },
    ],
  ])("is identified by %s", async (_, headers, shown) => {
    const { from, verification, forwardedBy } = await raw.ring(invite({ headers }));
    expect({ from, verification, forwardedBy }).toEqual(shown);
  });

  it.each<[string, string[], string | null]>([
    ["P-Asserted-Identity's", ['P-Asserted-Identity: "Ada Lovelace" <sip:+12025550177@x>'], "Ada Lovelace"],
    ["no other than P-Asserted-Identity's", ["P-Asserted-Identity: <sip:+12025550177@x>"], null],
    ["no other than Remote-Party-ID's", ["Remote-Party-ID: <sip:+12025550188@x>;party=calling"], null],
    ["From's where nothing else names the caller", [], "Your bank"],
  ])("has the name %s", async (_, headers, name) => {
    const text = invite({ headers }).replace("From: <", 'From: "Your bank" <');
    expect((await raw.ring(text)).fromName).toBe(name);
  });

  it("uses the verification of From if nothing else identifies the caller", async () => {
    const text = invite().replace("+442071838750@", "+442071838750;verstat=TN-Validation-Passed@");
    const { from, verification } = await raw.ring(text);
    expect([from, verification]).toEqual(["+442071838750", "passed"]);
  });
});
