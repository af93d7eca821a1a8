import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import type { CarrierTrace } from "@leadline/contract/carriers";
import { expect, onTestFinished, test, vi } from "vitest";
import { carrierModules } from "../../adapters.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";

const app = testAppWithCalls(carrierModules);
const read = (rep: Rep, id: string) => app.ask("GET", `/v1/carriers/${id}/trace`, { token: rep.token });

test("an owner can read a carrier's latest messages without its password, and other organisations can't", async () => {
  const [rep, stranger] = await Promise.all([newRep(app), newRep(app)]);
  const peer = await startRawPeer({ answersKeepAlive: false });
  onTestFinished(() => peer.close());
  const account = { authentication: "register", user: "agent", password: "correct horse battery" };
  const settings = { host: `127.0.0.1:${peer.port}`, transport: "udp", ...account };
  const body = { kind: "sip-trunk", label: "Trunk", settings };
  const registering = peer.next("REGISTER", { withinMs: 30_000 });
  const { id } = (await app.ask("POST", "/v1/carriers", { token: rep.token, body })).json();
  await app.ask("GET", "/v1/carriers", { token: rep.token });
  const challenge = 'WWW-Authenticate: Digest realm="pbx", nonce="abc"';
  peer.reply(await registering, "401 Unauthorized", { headers: [challenge] });
  peer.reply(await peer.next("REGISTER"), "403 Forbidden");
  const trace = await vi.waitFor(async () => {
    const answer = await read(rep, id);
    const { messages }: CarrierTrace = answer.json();
    expect(messages.map(({ summary }) => summary)).toContain("SIP/2.0 403 Forbidden");
    return answer;
  });
  expect(trace.body).toContain("[hidden]");
  expect(trace.body).not.toMatch(/response=\\?"[0-9a-f]/);
  expect((await read(stranger, id)).statusCode).toBe(404);
});

test("a carrier that hasn't been used has an empty trace", async () => {
  const rep = await newRep(app);
  const settings = { host: "127.0.0.61:5999", transport: "udp", authentication: "ip" };
  const body = { kind: "sip-trunk", label: "Trunk", settings };
  const { id } = (await app.ask("POST", "/v1/carriers", { token: rep.token, body })).json();
  await app.ask("PUT", `/v1/carriers/${id}`, { token: rep.token, body: { inUse: false } });
  await vi.waitFor(async () => expect((await read(rep, id)).json()).toEqual({ messages: [], strangers: [] }));
});
