import { describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { openSipPeer } from "./testing/sip-peer.ts";

/** What a test of the connection says of signing in, where the server answers OPTIONS like that. */
async function signIn(status: number, authentication: "digest" | "ip") {
  const challenge = 'WWW-Authenticate: Digest realm="test", nonce="one", algorithm=MD5';
  const server = await openSipPeer({
    onHeard: (heard) => heard.what === "OPTIONS" && heard.reply(status, { headers: status === 401 ? [challenge] : [] }),
  });
  const given = {
    host: `127.0.0.1:${server.port}`,
    transport: "udp",
    authentication,
    user: "agent",
    password: "wrong",
  };
  const trunk = await openSipTrunk(settings.parse(given));
  const checks = await trunk.check?.();
  await trunk.close();
  await server.close();
  return checks?.find(({ what }) => what === "Sign in");
}

describe.concurrent("a test of a connection that is not registered", () => {
  it("says that the password is yet to be tried", async () => {
    expect(await signIn(200, "digest")).toEqual({
      what: "Sign in",
      ok: true,
      sentence: "The password is not tried yet: the server asks for it with the first call.",
    });
  });

  it("says that the password is refused where the server asks for it at once", async () => {
    expect(await signIn(401, "digest")).toEqual({
      what: "Sign in",
      ok: false,
      sentence: expect.stringContaining("did not let us in. Check the user and the password."),
    });
  });

  it("speaks of no password where there is none", async () => {
    expect(await signIn(200, "ip")).toBeUndefined();
  });
});
