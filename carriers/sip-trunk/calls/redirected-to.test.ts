import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { freePort } from "../testing/start-program.ts";
import { type Received, startRawPeer } from "../testing/start-raw-peer.ts";

const sequence = (message: Received): number => parseInt(message.header("cseq") ?? "", 10);

let raw: RawTrunk;
beforeEach(async () => {
  raw = await openRawTrunk();
});
afterEach(async () => {
  vi.useRealTimers();
  await raw.close();
});

describe("a call that is redirected over TCP", () => {
  it("reports no response if the place that it leads to accepts no connection", async () => {
    const other = await openRawTrunk({}, { tcp: true });
    const call = await other.dial();
    const contact = `Contact: <sip:+12025550101@127.0.0.1:${await freePort()};transport=tcp>`;
    other.peer.reply(call.invite, "302 Moved Temporarily", { contact });
    expect(await call.ended()).toEqual({ reason: "network-failure", sip: null, q850: 38 });
    await other.close();
  });
});

describe("a call that is redirected", () => {
  it("follows a redirect within the carrier's own servers", async () => {
    const call = await raw.dial();
    const place = `127.0.0.1:${raw.peer.port}`;
    const contact = `Contact: <sip:+12025550101;x=y@${place}>;q=0.5, <sip:mallory@192.0.2.66>;q=0.9`;
    raw.peer.reply(call.invite, "302 Moved Temporarily", { contact });
    const second = await raw.peer.next("INVITE");
    expect(second.text.split(" ", 2)[1]).toBe(`sip:+12025550101;x=y@${place}`);
    for (const name of ["call-id", "from", "to"]) expect(second.header(name)).toBe(call.invite.header(name));
    expect(sequence(second)).toBe(sequence(call.invite) + 1);
    raw.peer.reply(second, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    expect(await raw.talk(call.endpoint)).toBeGreaterThan(0.9);
  });

  it.each(["12025550101", "0012025550101", "01112025550101", "+1-202-555-0101", "%2B12025550101", "sbc-2", "3f9a", ""])(
    "follows a redirect to the dialled number, or to what is no number: %s",
    async (user) => {
      const call = await raw.dial();
      const contact = `Contact: <sip:${user === "" ? "" : `${user}@`}127.0.0.1:${raw.peer.port}>`;
      raw.peer.reply(call.invite, "302 Moved Temporarily", { contact });
      expect((await raw.peer.next("INVITE")).text).toContain(contact.slice("Contact: <".length, -1));
    },
  );

  it.each([
    "<sip:+12025550155@HOST>",
    "<sip:+19005550100@HOST>",
    "<sip:+33%20899700100@HOST>",
    "<sip:%2B19005550100@HOST>",
    "<sip:0900-5550100@HOST>",
    "<sip:*67%2B12025550101@HOST>",
    "<sip:19005550100p1@HOST>",
    "<sip:118@HOST>",
    "<sip:*72@HOST>",
    "<sip:2025550101@HOST>",
    "<sip:abc@HOST;user=phone>",
    "<tel:+19005550100>",
    "tel:118;phone-context=+1",
    "<sip:+19005550100@HOST>;q=0.9, <sip:118@HOST>",
  ])("follows no redirect to another number, which nothing has checked: %s", async (written) => {
    const call = await raw.dial();
    const contact = `Contact: ${written.replaceAll("HOST", `127.0.0.1:${raw.peer.port}`)}`;
    raw.peer.reply(call.invite, "302 Moved Temporarily", { contact });
    expect(await call.ended()).toEqual({ reason: "redirected", sip: 302, q850: null });
    expect(raw.peer.all("INVITE")).toHaveLength(1);
  });

  it.each([
    ["elsewhere", "Contact: <sip:+12025550101@192.0.2.66>"],
    ["nowhere", null],
  ])("reports a redirect if it leads %s", async (_, contact) => {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "302 Moved Temporarily", { contact });
    expect(await call.ended()).toEqual({ reason: "redirected", sip: 302, q850: null });
    expect(raw.peer.all("INVITE")).toHaveLength(1);
  });

  it("reports no response if the place that it leads to is silent, so that another carrier is tried", async () => {
    const silent = await startRawPeer({ answersKeepAlive: false });
    const call = await raw.dial();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const contact = `Contact: <sip:+12025550101@127.0.0.1:${silent.port}>`;
    raw.peer.reply(call.invite, "302 Moved Temporarily", { contact });
    await silent.next("INVITE");
    vi.advanceTimersByTime(16_000);
    vi.useRealTimers();
    expect(await call.ended()).toEqual({ reason: "network-failure", sip: null, q850: 38 });
    await silent.close();
  });

  it("isn't redirected in circles", async () => {
    const call = await raw.dial();
    const contact = `Contact: <sip:again@127.0.0.1:${raw.peer.port}>`;
    raw.peer.reply(call.invite, "302 Moved Temporarily", { contact });
    for (let i = 0; i < 5; i++) raw.peer.reply(await raw.peer.next("INVITE"), "302 Moved Temporarily", { contact });
    expect((await call.ended()).reason).toBe("redirected");
  });
});
