import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { until } from "../testing/start-program.ts";
import { type Received, startRawPeer } from "../testing/start-raw-peer.ts";

const cleared = 'Q.850;cause=16;text="Normal call clearing"';
const interval = (message: Received) => [message.header("session-expires"), message.header("min-se")];
const sequence = (message: Received): number => parseInt(message.header("cseq") ?? "", 10);

let raw: RawTrunk;
beforeEach(async () => {
  raw = await openRawTrunk();
});
afterEach(() => raw.close());

async function connected(headers: string[] = []) {
  const call = await raw.dial();
  raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe(), headers });
  await call.answered();
  await raw.peer.next("ACK");
  return { ...call, dialog: raw.peer.asCallee(call.invite) };
}
const answerTo = (cseq: string) =>
  raw.peer.next((message) => /^\d/.test(message.what) && message.header("cseq") === cseq);

describe("a dialled call", () => {
  it("lists what it supports in Allow, including UPDATE", async () => {
    const { invite } = await raw.dial();
    const methods = invite.header("allow")?.split(", ").toSorted();
    expect(methods).toEqual("ACK BYE CANCEL INFO INVITE NOTIFY OPTIONS PRACK UPDATE".split(" "));
  });

  it.each([
    ["REFER", ["Refer-To: <sip:+12025550199@127.0.0.1>"], "405"],
    ["MESSAGE", [], "405"],
    ["SUBSCRIBE", ["Event: refer"], "405"],
    ["PUBLISH", [], "405"],
    ["INFO", ["Info-Package: g.3gpp.state-and-event"], "469"],
    ["INFO", [], "200"],
    ["OPTIONS", [], "200"],
  ])("answers a %s within it with %s as %s, and continues", async (method, headers, status) => {
    const call = await connected();
    raw.peer.request(call.dialog, method, { cseq: 7, headers });
    const answer = await answerTo(`7 ${method}`);
    expect(answer.what).toBe(status);
    const tellsWhatIsAllowed = status === "405" || method === "OPTIONS";
    expect(/INVITE.*UPDATE/.test(answer.header("allow") ?? "")).toBe(tellsWhatIsAllowed);
    expect(answer.header("recv-info") === "").toBe(status === "469");
    expect(await raw.talk(call.endpoint)).toBeGreaterThan(0.9);
  });

  it("answers an INFO of an unknown type with 415 and the accepted types", async () => {
    const { dialog } = await connected();
    raw.peer.request(dialog, "INFO", { cseq: 7, body: "hello", contentType: "text/plain" });
    const refused = await answerTo("7 INFO");
    expect([refused.what, refused.header("accept")]).toEqual([
      "415",
      expect.stringContaining("application/dtmf-relay"),
    ]);
    raw.peer.request(dialog, "INFO", { cseq: 8, body: "Signal=1\r\n", contentType: "application/dtmf-relay" });
    expect((await answerTo("8 INFO")).what).toBe("200");
  });

  it.each(["UPDATE", "INVITE"])("refuses a session interval below 90 s by %s, with the minimum", async (method) => {
    const { dialog } = await connected();
    const body = method === "INVITE" ? { body: raw.rtp.describe() } : {};
    const ask = (cseq: number, seconds: number) =>
      raw.peer.request(dialog, method, {
        cseq,
        headers: [`Session-Expires: ${seconds}`, "Supported: timer"],
        ...body,
      });
    ask(7, 60);
    const refused = await answerTo(`7 ${method}`);
    expect([refused.what, refused.header("min-se")]).toEqual(["422", "90"]);
    ask(8, 90);
    const taken = await answerTo(`8 ${method}`);
    expect([taken.what, taken.header("session-expires")]).toEqual(["200", "90;refresher=uac"]);
  });

  it("requests a longer session interval within the same call", async () => {
    const call = await raw.dial();
    const { invite } = call;
    raw.peer.reply(invite, "422 Session Interval Too Small", { headers: ["Min-SE: 3600"], contact: null });
    const second = await raw.peer.next("INVITE");
    for (const name of ["call-id", "from"]) expect(second.header(name)).toBe(invite.header(name));
    expect(sequence(second)).toBe(sequence(invite) + 1);
    expect(interval(second)).toEqual(["3600", "3600"]);
    raw.peer.reply(second, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    void call.leg.setHold?.(true);
    const hold = await raw.peer.next("INVITE");
    expect(interval(hold)).toEqual(["3600;refresher=uac", "3600"]);
    raw.peer.reply(hold, "200 OK", { body: raw.rtp.describe() });
  });

  it("tells the far end of a hold with a longer session interval if it refuses ours", async () => {
    const call = await connected();
    const holding = call.leg.setHold?.(true);
    const first = await raw.peer.next("INVITE");
    expect(interval(first)).toEqual(["1800;refresher=uac", "90"]);
    raw.peer.reply(first, "422 Session Interval Too Small", { headers: ["Min-SE: 3600"], contact: null });
    const second = await raw.peer.next("INVITE");
    expect([...interval(second), second.body.includes("a=sendonly")]).toEqual(["3600;refresher=uac", "3600", true]);
    raw.peer.reply(second, "200 OK", { body: raw.rtp.describe() });
    await holding;
  });

  it("asks no second time for a hold that is refused with an interval that we asked for", async () => {
    const call = await connected();
    const holding = call.leg.setHold?.(true);
    const refused = { headers: ["Min-SE: 90"], contact: null };
    raw.peer.reply(await raw.peer.next("INVITE"), "422 Session Interval Too Small", refused);
    await holding;
    expect(raw.peer.all("INVITE")).toHaveLength(2);
  });
});

describe("a request within a dialled call", () => {
  it("goes through strict routers as well as loose ones", async () => {
    const near = await startRawPeer();
    const place = `127.0.0.1:${raw.peer.port}`;
    const strict = `sip:near;x=1@127.0.0.1:${near.port};transport=udp`;
    const call = await raw.dial();
    const headers = [`Record-Route: <sip:far@${place};lr>, <${strict}>`];
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe(), headers });
    await call.answered();
    const ack = await near.next("ACK");
    void call.leg.hangUp();
    const bye = await near.next("BYE");
    near.reply(bye, "200 OK");
    for (const request of [ack, bye]) {
      expect(request.text.split(" ", 2)[1]).toBe(strict);
      const routes = request.headers("route").flatMap((route) => route.split(/,\s*/));
      expect(routes).toEqual([`<sip:far@${place};lr>`, `<sip:peer@${place}>`]);
      expect(request.text).not.toMatch(/leadline-/i);
    }
    expect([...raw.peer.all("ACK"), ...raw.peer.all("BYE")]).toEqual([]);
    await near.close();
  });

  it("keeps the user of a Contact exactly as written", async () => {
    const { leg } = await (async () => {
      const call = await raw.dial();
      const contact = `Contact: <sip:+1202;npdi;rn=+1%20x@127.0.0.1:${raw.peer.port}>`;
      raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe(), contact });
      await call.answered();
      return call;
    })();
    void leg.hangUp();
    const bye = await raw.peer.next("BYE");
    expect(bye.text.split(" ", 2)[1]).toBe(`sip:+1202;npdi;rn=+1%20x@127.0.0.1:${raw.peer.port}`);
    raw.peer.reply(bye, "200 OK");
  });
});

describe("a dialled call that is forked", () => {
  it("connects the early dialog that answers, with its own early media, and ends a second answer", async () => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "183 Session Progress", { toTag: "one", body: raw.rtp.describe() });
    await call.told("early-media");
    const elsewhere = raw.rtp.describe().replace(/m=audio \d+/, "m=audio 9");
    raw.peer.reply(call.invite, "183 Session Progress", { toTag: "two", body: elsewhere });
    await until("both are heard", () => call.events.filter(({ type }) => type === "early-media").length === 2);
    raw.peer.reply(call.invite, "200 OK", { toTag: "one" });
    await call.answered();
    expect(await raw.talk(call.endpoint)).toBeGreaterThan(0.9);
    raw.peer.reply(call.invite, "200 OK", { toTag: "two", body: elsewhere });
    const bye = await raw.peer.next("BYE");
    expect(bye.header("to")).toContain("tag=two");
    expect(bye.header("reason")).toContain("cause=26");
    raw.peer.reply(bye, "200 OK");
    expect(call.kinds()).toBe("early-media early-media answered");
  });
});

describe("the dialog of a dialled call", () => {
  it("gives a reason in its CANCEL", async () => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "180 Ringing");
    await call.told("ringing");
    await call.leg.hangUp({ q850: 31, text: "Spending limit reached" });
    const cancel = await raw.peer.next("CANCEL");
    expect(cancel.header("reason")).toBe('Q.850;cause=31;text="Spending limit reached"');
    raw.peer.reply(cancel, "200 OK", { contact: null });
    raw.peer.reply(call.invite, "487 Request Terminated", { contact: null });
  });

  it("acknowledges and ends an answer that crosses its CANCEL", async () => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "180 Ringing");
    await call.told("ringing");
    await call.leg.hangUp();
    const cancel = await raw.peer.next("CANCEL");
    expect(cancel.header("reason")).toBe(cleared);
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    raw.peer.reply(cancel, "200 OK", { contact: null });
    await raw.peer.next("ACK");
    const bye = await raw.peer.next("BYE");
    expect(bye.header("reason")).toBe(cleared);
    raw.peer.reply(bye, "200 OK");
  });

  it("gives the far end the reason when Leadline ends it", async () => {
    const { leg } = await connected();
    void leg.hangUp({ q850: 41, text: "Media server lost" });
    const bye = await raw.peer.next("BYE");
    expect(bye.header("reason")).toBe('Q.850;cause=41;text="Media server lost"');
    raw.peer.reply(bye, "200 OK");
  });

  it("acknowledges reliable ringing without a Contact by PRACK", async () => {
    const call = await raw.dial();
    const headers = ["Require: 100rel", "RSeq: 41"];
    raw.peer.reply(call.invite, "180 Ringing", { headers, contact: null });
    const prack = await raw.peer.next("PRACK");
    expect(prack.header("rack")).toBe(`41 ${sequence(call.invite)} INVITE`);
    raw.peer.reply(prack, "200 OK", { contact: null });
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
  });

  it("sends the ACK to the answer's Contact, whatever the provisional response left out", async () => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "180 Ringing", { contact: null });
    await call.told("ringing");
    const contact = `Contact: <sip:desk@127.0.0.1:${raw.peer.port}>`;
    raw.peer.reply(call.invite, "200 OK", { contact, body: raw.rtp.describe() });
    expect((await raw.peer.next("ACK")).text).toMatch(/^ACK sip:desk@/);
  });

  it("answers a change that crosses its own with 491", async () => {
    const call = await connected();
    void call.leg.setHold?.(true);
    const ours = await raw.peer.next("INVITE");
    raw.peer.request(call.dialog, "INVITE", { cseq: 7, body: raw.rtp.describe() });
    expect((await answerTo("7 INVITE")).what).toBe("491");
    raw.peer.reply(ours, "200 OK", { body: raw.rtp.describe(["a=recvonly"]) });
    await raw.peer.next("ACK");
  });

  it("retries its own change if the far end's crosses it", async () => {
    const { leg } = await connected();
    void leg.setHold?.(true);
    const first = await raw.peer.next("INVITE");
    raw.peer.reply(first, "491 Request Pending");
    const again = await raw.peer.next("INVITE");
    expect(again.text).toContain("a=sendonly");
    expect(sequence(again)).toBe(sequence(first) + 1);
    raw.peer.reply(again, "200 OK", { body: raw.rtp.describe(["a=recvonly"]) });
    await raw.peer.next((message) => message.what === "ACK" && sequence(message) === sequence(again));
  });

  it("accepts a change without a Contact, and continues to a later one's", async () => {
    const { dialog, leg } = await connected();
    raw.peer.request(dialog, "INVITE", { cseq: 7, body: raw.rtp.describe(), contact: null });
    expect((await answerTo("7 INVITE")).what).toBe("200");
    raw.peer.request(dialog, "ACK", { cseq: 7 });
    const contact = `Contact: <sip:moved@127.0.0.1:${raw.peer.port}>`;
    raw.peer.request(dialog, "UPDATE", { cseq: 8, contact });
    expect((await answerTo("8 UPDATE")).what).toBe("200");
    void leg.hangUp();
    const bye = await raw.peer.next("BYE");
    expect(bye.text).toMatch(/^BYE sip:moved@/);
    raw.peer.reply(bye, "200 OK");
  });
});
