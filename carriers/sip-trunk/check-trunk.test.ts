import { describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { openSipPeer } from "./testing/sip-peer.ts";
import { startDns } from "./testing/start-dns.ts";
import { freePort, until } from "./testing/start-program.ts";

/** The result of a connection test if the server answers OPTIONS like this. */
async function checkOf(
  what: string,
  {
    status = 200,
    authentication = "ip",
    algorithm = "MD5",
    rest = {},
  }: { status?: number; authentication?: "digest" | "ip"; algorithm?: string; rest?: object },
) {
  const challenge = `WWW-Authenticate: Digest realm="test", nonce="one", algorithm=${algorithm}`;
  const server = await openSipPeer({
    onHeard: (heard) => heard.what === "OPTIONS" && heard.reply(status, { headers: status === 401 ? [challenge] : [] }),
  });
  const given = {
    host: `127.0.0.1:${server.port}`,
    transport: "udp",
    authentication,
    user: "agent",
    password: "wrong",
    ...rest,
  };
  const trunk = await openSipTrunk(settings.parse(given));
  const checks = await trunk.check?.();
  await trunk.close();
  await server.close();
  return checks?.find((check) => check.what === what);
}

describe.concurrent("a test of a connection without registration", () => {
  it("says that the password hasn't been tried yet", async () => {
    expect(await checkOf("Sign in", { authentication: "digest" })).toEqual({
      what: "Sign in",
      ok: true,
      sentence: "The password hasn’t been checked yet. The server asks for it on the first call.",
    });
  });

  it("says that the password is wrong if the server asks for it immediately", async () => {
    expect(await checkOf("Sign in", { status: 401, authentication: "digest" })).toEqual({
      what: "Sign in",
      ok: false,
      sentence: expect.stringContaining("rejected the login. Check the user and the password."),
    });
  });

  it("says that the challenge isn't supported, rather than that the password is wrong", async () => {
    expect(await checkOf("Sign in", { status: 401, authentication: "digest", algorithm: "NEW-512" })).toEqual({
      what: "Sign in",
      ok: false,
      sentence: expect.stringMatching(/rejected the login\. It uses an .* that Leadline doesn’t support \(401\)/),
    });
  });

  it.each([302, 500, 503])("doesn't call the password untried if the server answers %i", async (status) => {
    expect(await checkOf("Sign in", { status, authentication: "digest" })).toEqual({
      what: "Sign in",
      ok: false,
      sentence: expect.stringContaining(`(${status})`),
    });
  });

  it("doesn't say where an address is, as nothing was looked up", async () => {
    expect(await checkOf("Find the server", {})).toEqual({
      what: "Find the server",
      ok: true,
      sentence: expect.stringMatching(
        /^It’s an address, so there’s nothing to look up\. Calls go to 127\.0\.0\.1:\d+ over UDP\.$/,
      ),
    });
  });

  it("names the outbound proxy if that is not found or not responding", async () => {
    const dns = await startDns([]);
    const stateAndCheck = async (outboundProxy: string) => {
      const given = { host: "pbx.test", outboundProxy, transport: "tcp", authentication: "ip" };
      const trunk = await openSipTrunk(settings.parse(given), { resolver: dns.resolver });
      await until("asked", () => trunk.state?.().level === "down");
      const [found] = (await trunk.check?.()) ?? [];
      const state = trunk.state?.().sentence;
      await trunk.close();
      return [state, found?.sentence];
    };
    expect(await stateAndCheck("proxy.test")).toEqual([
      "proxy.test has no address. Check the server’s name.",
      "proxy.test has no address in DNS. Check the name.",
    ]);
    const closed = `127.0.0.1:${await freePort()}`;
    expect((await stateAndCheck(closed))[0]).toBe(`${closed} does not answer. We keep trying.`);
    dns.close();
  });

  it("doesn't mention a password if there is none", async () => {
    expect(await checkOf("Reach it", {})).toBeDefined();
    expect(await checkOf("Sign in", {})).toBeUndefined();
  });

  it.each([
    ["off", { ok: true, sentence: "Off in your settings." }],
    ["tls", { ok: true, sentence: "Off: it needs TLS as the transport." }],
    [
      "required",
      { ok: false, sentence: "Your settings require it, and it needs TLS. Choose TLS, or outbound calls fail." },
    ],
  ])("says, over UDP and with %s, whether audio is encrypted", async (mediaEncryption, expected) => {
    const rest = { mediaEncryption, transport: "auto" };
    expect(await checkOf("Encryption", { rest })).toEqual({ what: "Encryption", ...expected });
  });
});
