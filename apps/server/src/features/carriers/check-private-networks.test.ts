import { once } from "node:events";
import { createServer } from "node:net";
import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";

/** The trunk on a server with the operator's default settings. */
const guarded: CarrierModule<typeof sipTrunk.settings> = {
  ...sipTrunk,
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, mayReach: isPublicAddress }),
};
const app = testAppWithCalls([guarded]);

const settings = (host: string) => ({ host, transport: "tcp", authentication: "ip" });
const check = (rep: Rep, host: string) =>
  app.ask("POST", "/v1/carriers/check", { token: rep.token, body: { kind: "sip-trunk", settings: settings(host) } });

test("a test reports the same for every private address, open or closed, and connects to none", async () => {
  const rep = await newRep(app);
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const open = typeof address === "object" ? (address?.port ?? 0) : 0;
  const hosts = [`127.0.0.1:${open}`, "127.0.0.1:1", `[::1]:${open}`, "169.254.169.254:80", "10.0.0.1:5432"];
  const answers = await Promise.all(hosts.map((host) => check(rep, host)));
  answers.forEach((answer, i) =>
    expect(answer.json()).toEqual([
      {
        what: "Find the server",
        ok: false,
        sentence: expect.stringContaining(`${hosts[i]} is in a private network`),
      },
    ]),
  );
  const body = { kind: "sip-trunk", label: "Inside", settings: settings(`127.0.0.1:${open}`) };
  const saved = await app.ask("POST", "/v1/carriers", { token: rep.token, body });
  expect(saved.json().state).toMatchObject({ level: "down", sentence: expect.stringContaining("PRIVATE_NETWORKS") });
  expect(connections).toBe(0);
  server.close();
});

test("limits each person's tests and saves of carriers, to prevent scanning", async () => {
  const rep = await newRep(app);
  const statuses: number[] = [];
  for (let tries = 0; tries < 31; tries++) statuses.push((await check(rep, "10.0.0.1")).statusCode);
  expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true);
  expect(statuses[30]).toBe(429);
  const body = { kind: "sip-trunk", label: "Inside", settings: settings("10.0.0.1") };
  expect((await app.ask("POST", "/v1/carriers", { token: rep.token, body })).statusCode).toBe(429);
});

test("PRIVATE_NETWORKS accepts addresses and networks, and names anything else in its error", () => {
  const read = (networks: string) => readConfig({ PRIVATE_NETWORKS: networks }, { dev: false }).privateNetworks;
  expect(read("")).toEqual([]);
  expect(read("192.168.1.0/24, 10.0.0.5 fd00::/8")).toEqual(["192.168.1.0/24", "10.0.0.5", "fd00::/8"]);
  for (const wrong of ["pbx.local", "192.168.1.0/33", "192.168.1"])
    expect(() => read(wrong)).toThrow("PRIVATE_NETWORKS must be IP addresses or networks");
});
