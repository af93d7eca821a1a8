import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { startRawRtp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import type { Call } from "@leadline/contract/calls";
import { expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../../config.ts";
import { asksProcess } from "../../../testing/asks-process.ts";
import { ownMigratedDatabase } from "../../../testing/own-database.ts";
import { startProcess } from "../../../testing/start-process.ts";

const settings = { INBOUND_CALLS_PER_MINUTE: "4", INBOUND_CALLS_RINGING: "1", VOICEMAILS_AT_ONCE: "1" };

/** A server with these settings and one organisation, which has voicemail and a trunk to a raw SIP peer. */
async function openOffice() {
  const database = await ownMigratedDatabase();
  onTestFinished(database.drop);
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-limits-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...settings });
  onTestFinished(async () => void (await leadline.stop("SIGTERM")));
  const [peer, rtp, localPort] = await Promise.all([startRawPeer(), startRawRtp(), freePort()]);
  onTestFinished(async () => {
    rtp.close();
    await peer.close();
  });
  const { ask, newRep, attend } = asksProcess(() => leadline.origin);
  const rep = await newRep();
  const { token } = rep;
  await ask("PUT", "/v1/voicemail", { token, body: { enabled: true } });
  await ask("PUT", `/v1/organisations/${rep.organisationId}`, { token, body: { openingHours: [] } });
  const trunk = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", localPort };
  const body = { kind: "sip-trunk", label: "Trunk", settings: trunk };
  expect((await ask("POST", "/v1/carriers", { token, body })).status).toBe(201);
  await peer.next("OPTIONS");

  let calls = 0;
  return {
    leadline,
    attend: () => attend(rep),
    /** Calls the organisation and returns the first response other than 100. */
    async call() {
      const callId = `call-${++calls}`;
      const place = { address: "127.0.0.1", port: localPort };
      peer.send(peer.write("INVITE", place, { callId, body: rtp.describe() }), place);
      return peer.next(({ what, header }) => /^[1-6]/.test(what) && what !== "100" && header("call-id") === callId);
    },
    listed: async (): Promise<Call[]> => (await ask("GET", "/v1/calls?direction=inbound", { token })).json,
  };
}

test("calls above each inbound limit get 503 with Retry-After, and a log line names the setting", async () => {
  const { leadline, attend, call, listed } = await openOffice();
  const inVoicemail = await call();
  expect(inVoicemail.what).toBe("200");
  const refused = [await call()];
  const tab = await attend();
  onTestFinished(() => void tab.destroy());
  expect((await call()).what).toBe("180");
  refused.push(await call());
  refused.push(await call());
  for (const answer of refused) {
    expect(answer.what).toBe("503");
    expect(Number(answer.header("retry-after"))).toBeGreaterThan(0);
  }
  await vi.waitFor(() => {
    for (const name of Object.keys(settings)) expect(leadline.log()).toMatch(new RegExp(`more .* than ${name} allows`));
  });
  // The call above the per-minute limit isn't listed.
  await vi.waitFor(async () => expect(await listed()).toHaveLength(4));
});

test("each inbound limit has a default, and an invalid value stops the start", () => {
  const read = (environment: Record<string, string>) => readConfig(environment, { dev: false });
  expect(read({}).inboundLimits).toEqual({ callsInAMinute: 120, maxRinging: 30, maxVoicemails: 20 });
  expect(read(settings).inboundLimits).toEqual({ callsInAMinute: 4, maxRinging: 1, maxVoicemails: 1 });
  for (const name of Object.keys(settings))
    for (const wrong of ["0", "-1", "1.5", "many", "100000"])
      expect(() => read({ [name]: wrong })).toThrow(`${name} must be a whole number from 1 to 99999`);
});
