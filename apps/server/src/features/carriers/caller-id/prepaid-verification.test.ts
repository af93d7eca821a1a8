import { randomInt } from "node:crypto";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { expect, onTestFinished, test } from "vitest";
import { flatRate } from "../../../testing/flat-rate.ts";
import { adjustBalance } from "../../../testing/set-balance.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

/** The trunk as with a provider on the Internet, whose caller IDs the operator doesn't vouch for. */
const trunk: typeof sipTrunk = {
  ...sipTrunk,
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, vouchesFor: () => false }),
};
const app = testAppWithCalls([sandbox, trunk]);
const price = 20_000;

/** A prepaid organisation; its caller ID can be called through a provider that answers “busy”. */
async function prepaid() {
  const rep = await newRep(app);
  const peer = await startRawPeer({ host: "127.0.0.1" });
  onTestFinished(() => peer.close());
  const { token } = rep;
  const callerId = `+1202${randomInt(2_000_000, 10_000_000)}`;
  const settings = { host: `${peer.host}:${peer.port}`, transport: "udp", authentication: "ip", callerId };
  const made = await app.ask("POST", "/v1/carriers", { token, body: { kind: trunk.id, label: "Provider", settings } });
  const { id } = made.json();
  const mode = { mode: "prepaid", currentPassword: rep.password };
  expect((await app.ask("PUT", "/v1/billing/mode", { token, body: mode })).statusCode).toBe(200);
  return {
    rep,
    peer,
    async putRate(): Promise<void> {
      const body = { prefix: "1", effectiveFrom: "2026-01-01", ...flatRate(price), currentPassword: rep.password };
      expect((await app.ask("PUT", `/v1/carriers/${id}/rates`, { token, body })).statusCode).toBeLessThan(300);
    },
    callToVerify: () => app.ask("POST", `/v1/carriers/${id}/caller-id/call`, { token }),
  };
}

test("a prepaid organisation's caller ID is called only if the balance covers a minute", async () => {
  const { rep, peer, putRate, callToVerify } = await prepaid();
  expect((await callToVerify()).json().type).toBe("/api/docs#rate-unknown");
  await putRate();
  await adjustBalance(app.database, { ...rep, balanceMicros: price - 1 });
  expect((await callToVerify()).json().type).toBe("/api/docs#balance-too-low");
  expect(peer.all("INVITE")).toEqual([]);
  await adjustBalance(app.database, { ...rep, balanceMicros: price });
  const calling = callToVerify();
  peer.reply(await peer.next("INVITE"), "486 Busy Here");
  expect((await calling).json().detail).toContain("is busy");
});

test("a caller ID isn't called if a minute costs more than the organisation allows", async () => {
  const { rep, peer, putRate, callToVerify } = await prepaid();
  await putRate();
  await adjustBalance(app.database, { ...rep, balanceMicros: price });
  const limit = await app.ask("PUT", "/v1/limits", { token: rep.token, body: { ratePerMinute: price / 2 } });
  expect(limit.statusCode).toBe(200);
  expect((await callToVerify()).json().type).toBe("/api/docs#rate-too-high");
  expect(peer.all("INVITE")).toEqual([]);
});
