import { createServer, type Server } from "node:http";
import type { LookupAddress } from "node:dns";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { openOutbound, OutboundError } from "./open-outbound.ts";
import { isPublicAddress } from "./public-address.ts";

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function serve(answer: Parameters<typeof createServer>[1] & object): Promise<URL> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
}

const faultOf = (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => "none",
    (error: unknown) => (error instanceof OutboundError ? error.fault : error),
  );

describe("an address", () => {
  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "not an address",
  ])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(["1.1.1.1", "13.110.0.1", "172.32.0.1", "2600:1f18::1"])("%s is public", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe("a request", () => {
  test.each([
    "http://acme.example/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://0x7f000001/",
    "https://2130706433/",
    "https://user:secret@acme.example/",
    "https://acme.example:8443/",
  ])("to %s is refused before any look-up", async (address) => {
    const asked: string[] = [];
    const outbound = openOutbound({
      resolve: (hostname) => void asked.push(hostname),
    });
    expect(await faultOf(outbound.send({ method: "GET", url: new URL(address) }))).toBe("address-refused");
    expect(asked).toEqual([]);
  });

  test.each([["10.0.0.5"], ["127.0.0.1"], ["::1"], ["1.1.1.1", "169.254.169.254"]])(
    "to a name that resolves to %s is refused at the connection",
    async (...addresses) => {
      const outbound = openOutbound({ resolve: resolvingTo(addresses) });
      const sent = outbound.send({ method: "GET", url: new URL("https://rebound.example/") });
      expect(await faultOf(sent)).toBe("address-refused");
      outbound.close();
    },
  );

  test("reaches the one host that this machine serves, and follows no redirect from there", async () => {
    const seen: string[] = [];
    const address = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    });
    const outbound = openOutbound({ onThisMachine: { host: "sandbox.test", address } });
    const answer = await outbound.send({ method: "POST", url: new URL("https://sandbox.test/a?b=c"), body: "d" });
    expect(answer.status).toBe(302);
    expect(seen).toEqual(["POST /a?b=c"]);
    outbound.close();
  });

  test("ends if the response is too late or too large", async () => {
    const address = await serve((request, response) => {
      if (request.url === "/much") response.end("x".repeat(5_000));
    });
    const onThisMachine = { host: "sandbox.test", address };
    const outbound = openOutbound({ onThisMachine, timeoutMs: 200, maxBytes: 1_000 });
    const get = (path: string) => faultOf(outbound.send({ method: "GET", url: new URL(path, "https://sandbox.test") }));
    expect([await get("/silence"), await get("/much")]).toEqual(["time-out", "too-large"]);
    outbound.close();
  });

  test("is answered with decompressed text, and refuses what is too large decompressed, cut off or not gzip", async () => {
    const compressed = (text: string) => gzipSync(text);
    const bodies: Record<string, Buffer> = {
      "/text": compressed("Zoë,1"),
      "/bomb": compressed("x".repeat(100_000)),
      "/cut": compressed("y".repeat(500)).subarray(0, 20),
      "/plain": Buffer.from("not compressed at all"),
    };
    const address = await serve((request, response) => {
      response.setHeader("content-encoding", "gzip").end(bodies[request.url ?? ""]);
    });
    const outbound = openOutbound({ onThisMachine: { host: "sandbox.test", address }, maxBytes: 1_000 });
    const get = (path: string) => outbound.send({ method: "GET", url: new URL(path, "https://sandbox.test") });
    expect((await get("/text")).text).toBe("Zoë,1");
    expect(await faultOf(get("/bomb"))).toBe("too-large");
    expect([await faultOf(get("/cut")), await faultOf(get("/plain"))]).toEqual(["unreachable", "unreachable"]);
    outbound.close();
  });
});

function resolvingTo(addresses: string[]) {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_hostname: string, _options: unknown, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, found);
}
