import { setImmediate } from "node:timers/promises";

import { afterEach, describe, expect, it, vi } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { startSilentDns } from "./testing/start-dns.ts";
import { until } from "./testing/start-program.ts";
import { startRegistrar } from "./testing/start-registrar.ts";
import { startRawPeer } from "./testing/start-raw-peer.ts";

const account = { authentication: "register", user: "agent", password: "secret" };

/** The result of the connection test and the state in the list of carriers if REGISTER is answered like this. */
async function registeredAs(status: number, headers?: string[]) {
  const registrar = await startRegistrar({ answer: () => ({ status, ...(headers && { headers }) }) });
  const trunk = await openSipTrunk(
    settings.parse({ host: `127.0.0.1:${registrar.port}`, transport: "udp", ...account }),
  );
  const check = (await trunk.check?.())?.find(({ what }) => what === "Sign in");
  const state = trunk.state?.();
  await trunk.close();
  await registrar.close();
  return { check, state };
}

describe.concurrent("a registrar's response, explained", () => {
  it.each([
    [403, "Check the user and the password."],
    [404, "It doesn’t recognise this user."],
    [408, "timed out waiting for another server (408)"],
    [480, "the account is temporarily unavailable (480)"],
    [500, "an internal error (500)"],
    [502, "an internal error (502)"],
    [503, "overloaded or out of service (503)"],
    [600, "refuses to register this account anywhere (600)"],
    [603, "refuses to register this account anywhere (603)"],
    [305, "redirects elsewhere (305)"],
    [406, "It answered 406."],
  ])("%i: %s", async (status, words) => {
    const { check, state } = await registeredAs(status, []);
    expect(check).toMatchObject({ ok: false, sentence: expect.stringContaining(words) });
    expect(state).toMatchObject({ level: "down", sentence: expect.stringContaining(words) });
    expect(check?.sentence).not.toContain("didn’t answer");
  });

  it("302: names the server that it redirects to", async () => {
    const { check } = await registeredAs(302, ["Contact: <sip:agent@sbc2.example.com:5080>;q=0.5"]);
    expect(check).toMatchObject({
      ok: false,
      sentence: expect.stringContaining("redirects to sbc2.example.com:5080"),
    });
  });

  it.each([
    ["of the contact", (contact: string) => [`Contact: ${contact};expires=0`]],
    ["of its own", () => ["Expires: 0"]],
  ])("200 with an expiry %s of 0 is not a registration", async (_, headers) => {
    const registrar = await startRegistrar({
      answer: (register) => ({ status: 200, headers: headers(register.header("contact") ?? "") }),
    });
    const given = { host: `127.0.0.1:${registrar.port}`, transport: "udp", ...account };
    const trunk = await openSipTrunk(settings.parse(given));
    const check = (await trunk.check?.())?.find(({ what }) => what === "Sign in");
    expect(check).toMatchObject({ ok: false, sentence: expect.stringContaining("didn’t keep the registration") });
    expect(trunk.state?.().level).toBe("down");
    await trunk.close();
    await registrar.close();
  });

  it("a challenge in two realms, in one header, is answered in both", async () => {
    // By CSeq: on a busy machine a REGISTER may arrive twice.
    const authorizations = new Map<string, string[]>();
    const registrar = await startRegistrar({
      answer: (register) => {
        const given = register.headers("authorization");
        authorizations.set(register.header("cseq") ?? "", given);
        if (given.length === 2) return { status: 200, headers: [`Contact: ${register.header("contact")}`] };
        const challenge = 'Digest realm="a", nonce="n1", Digest realm="b", nonce="n2"';
        return { status: 401, headers: [`WWW-Authenticate: ${challenge}`] };
      },
    });
    const given = { host: `127.0.0.1:${registrar.port}`, transport: "udp", ...account };
    const trunk = await openSipTrunk(settings.parse(given));
    expect((await trunk.check?.())?.find(({ what }) => what === "Sign in")).toMatchObject({ ok: true });
    expect([...authorizations.values()].slice(0, 2).map(({ length }) => length)).toEqual([0, 2]);
    await trunk.close();
    await registrar.close();
  });

  it("an unsupported challenge is reported as such, not as a wrong password", async () => {
    const headers = ['WWW-Authenticate: Digest realm="pbx", nonce="a", algorithm=NEW-512, qop="auth"'];
    const { check } = await registeredAs(401, headers);
    expect(check?.sentence).toContain("that Leadline doesn’t support (401)");
    const wrong = await registeredAs(401, ['WWW-Authenticate: Digest realm="pbx", nonce="a"']);
    expect(wrong.check?.sentence).toContain("Check the user and the password.");
  });
});

describe.concurrent("a response to OPTIONS of a trunk that knows us by address", () => {
  it.each([
    ["403 Forbidden", false, "Ask your provider to allow this server’s address, 127.0.0.1"],
    ["401 Unauthorized", false, "asks for a password (401)"],
    ["404 Not Found", true, "answered OPTIONS with 404"],
    ["405 Method Not Allowed", true, "answered OPTIONS with 405"],
    ["408 Request Timeout", true, "answered OPTIONS with 408"],
    ["500 Error", false, "an internal error (500)"],
    ["503 Service Unavailable", false, "overloaded or out of service (503)"],
    ["301 Moved", false, "redirects elsewhere (301)"],
  ])("%s", async (status, ok, words) => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip" };
    const trunk = await openSipTrunk(settings.parse(given));
    const checking = trunk.check?.();
    for (const _ of [1, 2]) peer.reply(await peer.next("OPTIONS"), status);
    const check = (await checking)?.find(({ what }) => what === "Sign in");
    expect(check).toMatchObject({ ok, sentence: expect.stringContaining(words) });
    expect(trunk.state?.().level).toBe("working");
    await trunk.close();
    await peer.close();
  });
});

describe("a name whose DNS server never answers", () => {
  const given = { host: "pbx.example.com", transport: "udp", authentication: "ip", keepAlive: "off" };
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is given up after eight seconds, by the connection test and by a call, and the test says so", async () => {
    const dns = await startSilentDns();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const trunk = await openSipTrunk(settings.parse(given), { resolver: dns.resolver });
    vi.advanceTimersByTime(8_000);
    await setImmediate();
    /** What is pending 8 s after its own query has been sent. */
    async function afterEightSeconds<T>(what: () => Promise<T>): Promise<T> {
      const before = dns.queries();
      let isOver = false;
      const done = what().finally(() => (isOver = true));
      done.catch(() => {});
      await until("DNS is asked", () => dns.queries() > before);
      vi.advanceTimersByTime(7_999);
      await setImmediate();
      expect(isOver).toBe(false);
      vi.advanceTimersByTime(1);
      return done;
    }
    expect(await afterEightSeconds(async () => trunk.check?.())).toEqual([
      {
        what: "Find the server",
        ok: false,
        sentence: expect.stringMatching(/^pbx\.example\.com couldn’t be resolved because DNS didn’t respond in time\./),
      },
    ]);
    const dialling = { callSid: "CA1", to: "+12025550101", callerId: null, offer: "", onEvent: () => {} };
    await expect(afterEightSeconds(() => trunk.dial(dialling))).rejects.toThrow("DNS did not answer");
    await trunk.close();
    dns.close();
  });
});
