import type { DialRequest } from "@leadline/adapter-kit/carrier";
import { describe, expect, it } from "vitest";

import { type OpenSipTrunk, openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { until } from "../testing/start-program.ts";

const account = { authentication: "digest", user: "agent", password: "secret" };
const byAddress = { authentication: "ip" };
const own = "+442079460123";
const chosen = "+442079460124";
const bought = "+12025550100";

/** The caller headers that the trunk gets in a call with these settings. */
async function callerTold(
  given: object,
  callerId: string | null = null,
  { verifiedNumbers, ...trunkOptions }: OpenSipTrunk & Pick<DialRequest, "verifiedNumbers"> = {},
) {
  let told: string[] | null = null;
  const peer = await openSipPeer({
    onHeard(heard) {
      if (heard.what !== "INVITE") return;
      told = ["from", "p-asserted-identity", "remote-party-id"].map((name) => heard.header(name) ?? "-");
      heard.reply(486);
    },
  });
  const read = settings.parse({ host: `127.0.0.1:${peer.port}`, transport: "udp", ...given });
  const trunk = await openSipTrunk(read, trunkOptions);
  const offer = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n";
  const request = { callSid: "CA1", to: "+12025550101", callerId, offer, onEvent: () => {} };
  await trunk.dial({ ...request, ...(verifiedNumbers && { verifiedNumbers }) });
  await until("a call", () => told !== null);
  await trunk.close();
  await peer.close();
  const at = `@127.0.0.1:${peer.port}`;
  return (told ?? []).map((header: string) => header.replaceAll(at, "").replace(/;tag=.*/, ""));
}

describe.concurrent("the callees of a trunk are shown", () => {
  it.each([
    ["from", [`<sip:${chosen}>`, "-", "-"]],
    ["p-asserted-identity", ["<sip:agent>", `<sip:${chosen}>`, "-"]],
    ["remote-party-id", ["<sip:agent>", "-", `<sip:${chosen}>;party=calling;screen=yes;privacy=off`]],
  ])("the number from its settings, in %s", async (callerIdHeader, told) => {
    expect(await callerTold({ ...account, callerIdHeader, callerId: chosen, numbers: [own] })).toEqual(told);
  });

  it("a bought number rather than the one from its settings, in the trunk's dialling format", async () => {
    const given = { ...account, callerId: chosen, numberFormat: "e164" };
    expect(await callerTold(given, bought)).toEqual([`<sip:${bought.slice(1)}>`, "-", "-"]);
  });

  it("the provider's number for the account, if none is configured", async () => {
    expect(await callerTold({ ...account, numbers: [own] })).toEqual(["<sip:agent>", "-", "-"]);
  });

  it("its first own number, if there is no account and none is configured", async () => {
    expect(await callerTold({ ...byAddress, numbers: [own, chosen] })).toEqual([`<sip:${own}>`, "-", "-"]);
    const asserted = { ...byAddress, numbers: [own], callerIdHeader: "p-asserted-identity" };
    expect(await callerTold(asserted)).toEqual([`<sip:${own}>`, `<sip:${own}>`, "-"]);
  });

  const untrusted = { vouchesFor: () => false };
  const proof = (number: string, server: string | null) => ({ ...untrusted, verifiedNumbers: [{ number, server }] });

  it("no unverified number, outside the operator's own networks", async () => {
    for (const callerIdHeader of ["from", "p-asserted-identity", "remote-party-id"]) {
      const given = { ...account, callerIdHeader, callerId: chosen };
      expect(await callerTold(given, null, untrusted)).toEqual(["<sip:agent>", "-", "-"]);
    }
    expect(await callerTold({ ...byAddress, numbers: [own] }, null, untrusted)).toEqual(["<sip:leadline>", "-", "-"]);
  });

  it("a number that was verified at the called server, or anywhere", async () => {
    const given = { ...account, callerId: chosen };
    expect((await callerTold(given, null, proof(chosen, "127.0.0.1")))[0]).toBe(`<sip:${chosen}>`);
    expect((await callerTold(given, null, proof(chosen, null)))[0]).toBe(`<sip:${chosen}>`);
    expect((await callerTold(given, null, proof(chosen, "sip.elsewhere.example")))[0]).toBe("<sip:agent>");
    expect((await callerTold(given, null, proof(own, "127.0.0.1")))[0]).toBe("<sip:agent>");
  });

  it("no user that is configured together with authentication by IP address", async () => {
    expect((await callerTold({ ...byAddress, user: own }, null, untrusted))[0]).toBe("<sip:leadline>");
  });

  it("a number as the user only once it is verified, if the account signs in as another", async () => {
    const given = { ...account, user: own.slice(1), authenticationUser: "agent" };
    for (const more of [{}, { callerId: chosen, callerIdHeader: "p-asserted-identity" }])
      expect(await callerTold({ ...given, ...more }, null, untrusted)).toEqual(["<sip:agent>", "-", "-"]);
    expect((await callerTold(given, null, proof(own, "127.0.0.1")))[0]).toBe(`<sip:${own}>`);
    for (const user of ["+1-202-555-0100", "1.202.555.0100"])
      expect((await callerTold({ ...given, user }, null, untrusted))[0]).toBe("<sip:agent>");
    expect((await callerTold({ ...given, user: "agent2" }, null, untrusted))[0]).toBe("<sip:agent2>");
  });
});
