import { setTimeout as sleep } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings, type TrunkSettings } from "./settings.ts";
import type { Heard } from "./testing/heard.ts";
import { startRegistrar } from "./testing/start-registrar.ts";
import { account } from "./testing/start-callees.ts";
import { freePort, until } from "./testing/start-program.ts";
import { startRawPeer } from "./testing/start-raw-peer.ts";

const trunkAt = (port: number, rest: Partial<TrunkSettings> = {}): TrunkSettings => ({
  ...settings.parse({ host: `127.0.0.1:${port}`, transport: "udp", ...account }),
  ...rest,
});
const challenge = 'WWW-Authenticate: Digest realm="test", nonce="one", algorithm=MD5';
const signsIn = (register: Heard): boolean => register.header("authorization") !== undefined;
const numberOf = (register: Heard): number => Number(register.header("cseq")?.split(" ")[0]);
const contactOf = (register: Heard): string => register.header("contact") ?? "";

describe.concurrent("a registrar", () => {
  it("that accepts no connection at first is registered with once it does, with growing CSeqs", async () => {
    const port = await freePort();
    const trunk = await openSipTrunk(trunkAt(port, { transport: "tcp", keepAliveSeconds: 1 }));
    await until("unreachable", () => trunk.state?.().level === "down");
    const registrar = await startRegistrar({
      transport: "tcp",
      port,
      answer: (register) => (signsIn(register) ? { status: 200 } : { status: 401, headers: [challenge] }),
    });
    await until("registered", () => trunk.state?.().level === "working" && registrar.registers.some(signsIn));
    const numbers = registrar.registers.map(numberOf);
    expect(numbers.every((number, i) => number > (numbers[i - 1] ?? 0))).toBe(true);
    await trunk.close();
    await registrar.close();
  });

  it("that repeats its challenge, as it got the request twice, is registered with", async () => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const registering = peer.next("REGISTER");
    const trunk = await openSipTrunk(trunkAt(peer.port, { keepAlive: "off" }));
    const unsigned = await registering;
    for (const _ of [1, 2]) peer.reply(unsigned, "401 Unauthorized", { headers: [challenge] });
    const signed = await peer.next(({ header }) => header("authorization") !== undefined);
    const challenges = () => trunk.trace?.().messages.filter(({ summary }) => summary.includes(" 401 ")).length;
    await until("both challenges arrived", () => (challenges() ?? 0) >= 2);
    peer.reply(signed, "200 OK", { headers: ["Expires: 300"] });
    await expect.poll(() => trunk.state?.().sentence).toBe(`Registered at 127.0.0.1:${peer.port}.`);
    await trunk.close();
    await peer.close();
  });

  it.each([
    ["answered", 200, 3],
    ["refused", 403, 1],
  ])("that closes the connection after each %s is not polled without a pause", async (_, status, most) => {
    const registrar = await startRegistrar({ transport: "tcp", answer: () => ({ status, hangsUp: true }) });
    const trunk = await openSipTrunk(trunkAt(registrar.port, { transport: "tcp" }));
    await sleep(2_500);
    expect(registrar.registers.length).toBeLessThanOrEqual(most);
    await trunk.close();
    await registrar.close();
  });

  it.each([408, 503])("that answers %i is passed over for the next server", async (status) => {
    const first = await startRegistrar({ answer: () => ({ status, headers: [] }) });
    const next = await startRegistrar({ answer: () => ({ status: 200 }) });
    const host = `127.0.0.1:${first.port}, 127.0.0.1:${next.port}`;
    const trunk = await openSipTrunk(settings.parse({ host, transport: "udp", ...account }));
    await expect.poll(() => trunk.state?.().sentence).toBe(`Registered at 127.0.0.1:${next.port}.`);
    await trunk.close();
    await first.close();
    await next.close();
  });

  it("that lists other devices of the account too, for longer, is refreshed in time", async () => {
    const registrar = await startRegistrar({
      answer: (register) => ({
        status: 200,
        headers: [
          "Contact: <sip:agent@192.0.2.77:5060>;expires=3600",
          `Contact: ${contactOf(register)};expires=2`,
          "Contact: <sip:agent@192.0.2.78:5060>;expires=1",
        ],
      }),
    });
    const trunk = await openSipTrunk(trunkAt(registrar.port));
    await until("refreshed", () => registrar.registers.length > 1);
    // At 80 % of our own two seconds: not by the first contact's hour or the last one's second.
    const [first, second] = registrar.registers;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(1_300);
    await trunk.close();
    await registrar.close();
  });

  it.each(["4294967295", "999999999"])("that grants %s s is not polled endlessly", async (expires) => {
    const registrar = await startRegistrar({
      answer: (register) => ({ status: 200, headers: [`Contact: ${contactOf(register)};expires=${expires}`] }),
    });
    const trunk = await openSipTrunk(trunkAt(registrar.port));
    await sleep(700);
    expect(registrar.registers.length).toBe(1);
    await trunk.close();
    await registrar.close();
  });

  it("that finds every interval too brief is followed once, and then counts as refusing", async () => {
    const registrar = await startRegistrar({
      answer: (_, nth) => ({ status: 423, headers: [`Min-Expires: ${1_000 + nth}`] }),
    });
    const trunk = await openSipTrunk(trunkAt(registrar.port));
    await until("refused", () => trunk.state?.().level === "down");
    await sleep(300);
    expect(registrar.registers.map((register) => register.header("expires"))).toEqual(["300", "1001"]);
    await trunk.close();
    await registrar.close();
  });
});
