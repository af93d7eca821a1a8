import type { ChildProcess } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { hear } from "@leadline/adapter-kit/conformance/hear";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings, type TrunkSettings } from "../settings.ts";
import { startBaresip } from "../testing/start-baresip.ts";
import { makeCertificate } from "../testing/make-certificate.ts";
import { account, number, openStage, type Stage } from "../testing/start-callees.ts";
import { startDns } from "../testing/start-dns.ts";
import { freePort, until } from "../testing/start-program.ts";
import type { DnsResolver } from "./locate.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const trunkAt = (host: string, rest: Partial<TrunkSettings> = {}): TrunkSettings => ({
  ...settings.parse({ host, transport: "udp", authentication: "digest", ...account }),
  ...rest,
});

/** How much of the echo is the tone that was sent. */
async function hearEcho(trunk: Awaited<ReturnType<typeof openSipTrunk>>, withinMs = 30_000): Promise<number> {
  const call = await placeCall(trunk, number("01"));
  await call.answered(withinMs);
  call.endpoint.sendTone(550);
  const share = await hear(call.endpoint, 550);
  await call.leg.setHold?.(true);
  await call.leg.setHold?.(false);
  await call.hangUp();
  return share;
}

/** The end of a call that its callee hangs up, with a request over the trunk's own connection. */
async function endedThere(trunk: Awaited<ReturnType<typeof openSipTrunk>>): Promise<string> {
  const call = await placeCall(trunk, number("09"));
  await call.answered();
  const { reason } = await call.ended(20_000);
  call.endpoint.close();
  return reason;
}

/** The result of a call whose callee is suspended for that long. */
async function waitAtFirst(settled: TrunkSettings, callee: ChildProcess, resolver?: DnsResolver): Promise<string> {
  const trunk = await openSipTrunk(settled, resolver ? { resolver } : {});
  callee.kill("SIGSTOP");
  const call = await placeCall(trunk, number("01"));
  await sleep(3_000);
  expect(call.kinds()).toBe("");
  callee.kill("SIGCONT");
  await call.answered(20_000);
  await call.hangUp();
  await trunk.close();
  return call.kinds();
}

describe.concurrent("a trunk is reached", () => {
  it("over TCP", async () => {
    const echo = await stage.sipp({ scenario: "answer", echoes: true });
    const hangsUp = await stage.sipp({ scenario: "hang-up" });
    const { port } = await stage.kamailio({ callees: { "01": echo, "09": hangsUp } });
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${port}`, { transport: "tcp", authentication: "register" }));
    await until("registered", () => trunk.state?.().level === "working");
    expect(await hearEcho(trunk)).toBeGreaterThan(0.8);
    expect(await endedThere(trunk)).toBe("hung-up-there");
    await trunk.close();
  });

  it("over TLS, if its certificate contains its name and is signed by a known authority", async () => {
    const echo = await stage.sipp({ scenario: "answer", echoes: true });
    const tls = await makeCertificate(stage.peers, stage.folder, "trunk.test");
    const hangsUp = await stage.sipp({ scenario: "hang-up" });
    const { port } = await stage.kamailio({ tls, callees: { "01": echo, "09": hangsUp } });
    const dns = await startDns([
      { name: "trunk.test", type: "A", address: "127.0.0.1" },
      { name: "_sips._tcp.trunk.test", type: "SRV", priority: 1, weight: 1, port: port + 2, target: "trunk.test" },
    ]);
    const secure = { transport: "tls" as const, authentication: "register" as const };
    const { resolver } = dns;
    const trusting = await openSipTrunk(
      trunkAt(`trunk.test:${port + 2}`, { ...secure, certificateAuthority: tls.authority }),
      { resolver },
    );
    await until("registered", () => trusting.state?.().level === "working");
    expect(await hearEcho(trusting)).toBeGreaterThan(0.8);
    expect(await endedThere(trusting)).toBe("hung-up-there");
    await trusting.close();

    const doubting = await openSipTrunk(trunkAt(`trunk.test:${port + 2}`, secure), { resolver });
    const call = await placeCall(doubting, number("01"));
    expect((await call.ended(20_000)).reason).toBe("network-failure");
    call.endpoint.close();
    expect((await doubting.check?.())?.at(-1)).toEqual({
      what: "Reach it",
      ok: false,
      sentence: "Its certificate is from an unknown authority. Paste the authority’s certificate under Advanced.",
    });
    await doubting.close();

    const asDnsSays = { transport: "auto" as const, certificateAuthority: tls.authority };
    const found = await openSipTrunk(trunkAt("trunk.test", asDnsSays), { resolver });
    expect((await found.check?.())?.at(-1)).toMatchObject({
      what: "Encryption",
      sentence: expect.stringMatching(/^On/),
    });
    await found.close();
    dns.close();
  });

  it("although the callee can't be reached for the first 3 s, over UDP", async () => {
    const port = await freePort();
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${port}`, { authentication: "ip" }));
    const call = await placeCall(trunk, number("01"));
    await sleep(3_000);
    expect(call.kinds()).toBe("");
    await stage.sipp({ scenario: "answer", port });
    await call.answered(20_000);
    await call.hangUp();
    await trunk.close();
  });

  it("although the callee is silent for the first 3 s, over TCP", async () => {
    const callee = await stage.sippProcess({ scenario: "answer", transport: "tcp" });
    const settled = trunkAt(`127.0.0.1:${callee.port}`, { transport: "tcp", authentication: "ip" });
    expect(await waitAtFirst(settled, callee.process)).toBe("ringing answered");
  });

  it("although the callee is silent for the first 3 s, over TLS", async () => {
    const tls = await makeCertificate(stage.peers, stage.folder, "callee.test");
    const callee = await stage.keep(
      startBaresip(stage.peers, {
        folder: stage.folder,
        user: number("01"),
        account: ";answermode=auto",
        lines: [`sip_certificate ${tls.both}`],
      }),
    );
    const dns = await startDns([{ name: "callee.test", type: "A", address: "127.0.0.1" }]);
    const settled = trunkAt(`callee.test:${callee.port + 1}`, {
      transport: "tls",
      authentication: "ip",
      certificateAuthority: tls.authority,
    });
    expect(await waitAtFirst(settled, callee.process, dns.resolver)).toMatch(/answered$/);
    dns.close();
  });
});

describe.concurrent("a trunk is located", () => {
  it("by NAPTR and SRV, and by its second server if the first doesn't respond", async () => {
    const echo = await stage.sipp({ scenario: "answer", echoes: true });
    const { port } = await stage.kamailio({ callees: { "01": echo } });
    const deaf = createSocket("udp4");
    const listening = once(deaf, "listening");
    deaf.bind(0, "127.0.0.1");
    await listening;
    let asked = 0;
    deaf.on("message", () => asked++);
    const dns = await startDns([
      {
        name: "trunk.test",
        type: "NAPTR",
        order: 20,
        preference: 1,
        service: "SIP+D2T",
        replacement: "_sip._tcp.trunk.test",
      },
      {
        name: "trunk.test",
        type: "NAPTR",
        order: 10,
        preference: 1,
        service: "SIP+D2U",
        replacement: "_sip._udp.trunk.test",
      },
      {
        name: "_sip._udp.trunk.test",
        type: "SRV",
        priority: 1,
        weight: 1,
        port: deaf.address().port,
        target: "one.trunk.test",
      },
      { name: "_sip._udp.trunk.test", type: "SRV", priority: 2, weight: 1, port, target: "two.trunk.test" },
      { name: "one.trunk.test", type: "A", address: "127.0.0.1" },
      { name: "two.trunk.test", type: "A", address: "127.0.0.1" },
    ]);
    const trunk = await openSipTrunk(trunkAt("trunk.test", { transport: "auto" }), { resolver: dns.resolver });
    expect(await hearEcho(trunk, 20_000)).toBeGreaterThan(0.8);
    expect(asked).toBeGreaterThan(1);
    // From then on the responding one comes first.
    await until("known", () => trunk.state?.().level === "partly");
    expect(await hearEcho(trunk, 4_000)).toBeGreaterThan(0.8);
    await trunk.close();
    dns.close();
    deaf.close();
  });

  it("under no unknown name, which is reported immediately", async () => {
    const dns = await startDns([]);
    const trunk = await openSipTrunk(trunkAt("nowhere.test"), { resolver: dns.resolver });
    await expect(placeCall(trunk, number("01"))).rejects.toThrow("No address is known");
    expect((await trunk.check?.())?.at(-1)).toMatchObject({ what: "Find the server", ok: false });
    await trunk.close();
    dns.close();
  });

  it("again after its registrar has restarted without its registrations: it is registered with again", async () => {
    const ownNumber = "+442079460123";
    const first = await stage.kamailio({ callees: {} });
    const calls: InboundCall[] = [];
    const listener = { onState: () => {}, onInbound: (call: InboundCall) => void calls.push(call) };
    const settled = trunkAt(`127.0.0.1:${first.port}`, { authentication: "register", keepAliveSeconds: 1 });
    const trunk = await openSipTrunk(settled, { listener });
    await until("registered", () => trunk.state?.().level === "working");
    await first.stop();
    await until("noticed", () => trunk.state?.().level === "down");
    expect(trunk.state?.().sentence).toBe(`127.0.0.1:${first.port} does not answer. We keep trying.`);
    await stage.kamailio({ port: first.port, callees: {} });
    await until("working again", () => trunk.state?.().level === "working");
    await until("a call", async () => {
      if (calls.length === 0) await stage.sipp({ scenario: "call-in", calls: { port: first.port, number: ownNumber } });
      return calls.length > 0;
    });
    await trunk.close();
  });
});
