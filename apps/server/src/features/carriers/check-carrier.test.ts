import { randomUUID } from "node:crypto";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../log.ts";
import { createSealer } from "../../seal-secrets.ts";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { checkCarrier } from "./check-carrier.ts";
import { createOwnCarriers } from "./own-carriers.ts";

const app = testApp();

test("a message that is dropped while unsaved settings are tested is logged", async () => {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) });
  const modules = [sipTrunk];
  const sealer = createSealer(() => Buffer.alloc(32), "carrier-secrets");
  const exclusiveLocks = { tryHold: async () => true, release: async () => {} };
  const parts = { database: app.database, modules, sealer, log };
  const ownCarriers = createOwnCarriers({
    ...parts,
    exclusiveLocks,
    onInbound: ({ refuse }) => refuse("nobody-there"),
  });
  const peer = await startRawPeer({ answersKeepAlive: false });
  onTestFinished(async () => {
    await ownCarriers.close();
    await peer.close();
  });
  const organisation = { id: organisationId, role: "owner" as const };
  const caller = { userId: person.id, sessionId: randomUUID(), organisation };
  const settings = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip" };
  const checking = checkCarrier({ ...parts, ownCarriers }, caller, { kind: sipTrunk.id, settings });
  const asked = await peer.next("OPTIONS");
  peer.send("garbage", asked.from);
  peer.reply(asked, "200 OK");
  peer.reply(await peer.next("OPTIONS"), "200 OK");
  expect((await checking).map(({ ok }) => ok)).not.toContain(false);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      organisationId,
      kind: sipTrunk.id,
      firstLine: "garbage",
      msg: "a message to a carrier was dropped",
    }),
  ]);
});
