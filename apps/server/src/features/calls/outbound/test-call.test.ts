import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { expect, onTestFinished, test } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { newRep, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls(carrierModules);
const sdp = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const call = (rep: Rep, carrierId: string, phoneNumber = "+12025550100") =>
  app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber, carrierId } });

/** A trunk of the organisation that isn't in use. */
async function connectUnused(rep: Rep, port: number): Promise<string> {
  const settings = { host: `127.0.0.1:${port}`, transport: "udp", authentication: "ip" };
  const body = { kind: "sip-trunk", label: "Trunk", settings };
  const { id } = (await app.ask("POST", "/v1/carriers", { token: rep.token, body })).json();
  await app.ask("PUT", `/v1/carriers/${id}`, { token: rep.token, body: { inUse: false } });
  return id;
}

test("an owner's test call goes through the named carrier, even if another is in use", async () => {
  const rep = await newRep(app);
  const peer = await startRawPeer();
  onTestFinished(() => peer.close());
  const carrierId = await connectUnused(rep, peer.port);
  const inviting = peer.next("INVITE");
  const started = await call(rep, carrierId);
  expect(started.statusCode).toBe(201);
  peer.reply(await inviting, "200 OK", { body: sdp });
  const { callSid } = started.json();
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
  expect((await peer.next("BYE")).header("call-id")).toBe((await inviting).header("call-id"));
});

test("a test call has the same limits as any other", async () => {
  const rep = await newRep(app);
  const peer = await startRawPeer();
  onTestFinished(() => peer.close());
  const carrierId = await connectUnused(rep, peer.port);
  const refused = await call(rep, carrierId, "+819012345678");
  expect(refused.json().type).toContain("country-not-allowed");
  expect(peer.all("INVITE")).toEqual([]);
});

test("refuses to test a carrier of another organisation", async () => {
  const [rep, stranger] = await Promise.all([newRep(app), newRep(app)]);
  const carrierId = await connectUnused(rep, 5999);
  expect((await call(stranger, carrierId)).statusCode).toBe(404);
});
