import { randomUUID } from "node:crypto";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { openExclusiveLocks } from "../../db/exclusive-locks.ts";
import { createLog } from "../../log.ts";
import { createSealer } from "../../seal-secrets.ts";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { changeCarrier, insertCarrier, selectCarriers, useCarriers } from "./carriers.table.ts";
import { waitForTurn, reserveChannel } from "./channels/dial-permits.ts";
import { createOwnCarriers } from "./own-carriers.ts";

const app = testApp();
const log = createLog("fatal");
const kind = `diary-${randomUUID()}`;

const waitFor = (holds: () => void): Promise<void> => vi.waitFor(holds);

/** A separate process, with a carrier that only records how it is opened and closed. */
async function startProcess() {
  const diary: string[] = [];
  const module: CarrierModule = {
    id: kind,
    name: "Diary",
    capabilities: { hold: false, transfer: false, inbound: true, digits: null, numbers: false },
    settings: z.object({ host: z.string() }),
    async open({ host }, _, shared) {
      const line = `${String(host)} ${shared?.calledElsewhere ? "beside another" : "alone"}`;
      diary.push(`opened ${line}`);
      return {
        dial: () => Promise.reject(new Error("It carries no calls.")),
        close: async () => void diary.push(`closed ${line}`),
      };
    },
  };
  const { database } = app;
  const exclusiveLocks = await openExclusiveLocks(database, log);
  const sealer = createSealer(() => Buffer.alloc(32), "carrier-secrets");
  const parts = { database, modules: [module], sealer, exclusiveLocks, log };
  const own = createOwnCarriers({ ...parts, onInbound: ({ refuse }) => refuse("nobody-there"), followEveryMs: 50 });
  let ended = false;
  const end = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    await own.close();
    await exclusiveLocks.close();
  };
  onTestFinished(end);
  await own.openAll();
  return { diary, end };
}

test("one process receives a carrier's calls; when it ends, another takes over, and changes reach all of them", async () => {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const carrierId = randomUUID();
  const key = { organisationId, carrierId };
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await insertCarrier(tx, { ...key, kind, label: "Trunk", settings: { host: "old.example" } });
    await useCarriers(tx, organisationId, [carrierId]);
  });
  const first = await startProcess();
  await waitFor(() => expect(first.diary).toEqual(["opened old.example alone"]));
  const second = await startProcess();
  await waitFor(() => expect(second.diary).toEqual(["opened old.example beside another"]));

  await app.database.withTransaction({ organisationId }, (tx) =>
    changeCarrier(tx, key, { settings: { host: "new.example" } }),
  );
  await waitFor(() => expect(first.diary.at(-1)).toBe("opened new.example alone"));
  await waitFor(() => expect(second.diary.at(-1)).toBe("opened new.example beside another"));

  await first.end();
  expect(first.diary.at(-1)).toBe("closed new.example alone");
  await waitFor(() => expect(second.diary.at(-1)).toBe("opened new.example alone"));

  await app.database.withTransaction({ organisationId }, (tx) => useCarriers(tx, organisationId, []));
  await waitFor(() => expect(second.diary.at(-1)).toBe("closed new.example alone"));
  const third = await openExclusiveLocks(app.database, log);
  onTestFinished(() => third.close());
  await expect.poll(() => third.tryHold(carrierId)).toBe(true);
});

/** A carrier that only one instance can open, as with a port, and that keeps its calls. */
function startWithPort(tryHold: (name: string) => Promise<boolean | null>) {
  const diary: string[] = [];
  let isOpen = false;
  const module: CarrierModule = {
    id: kind,
    name: "Diary",
    capabilities: { hold: false, transfer: false, inbound: true, digits: null, numbers: false },
    settings: z.object({ host: z.string() }),
    async open({ host }) {
      if (isOpen) throw new Error("EADDRINUSE");
      isOpen = true;
      diary.push(`opened ${String(host)}`);
      return {
        dial: async () => ({ hangUp: async () => void diary.push(`hung up ${String(host)}`) }),
        async close() {
          isOpen = false;
          diary.push(`closed ${String(host)}`);
        },
      };
    },
  };
  const exclusiveLocks = { tryHold, release: async () => {} };
  const sealer = createSealer(() => Buffer.alloc(32), "carrier-secrets");
  const parts = { database: app.database, modules: [module], sealer, exclusiveLocks, log, followEveryMs: 50 };
  const own = createOwnCarriers({ ...parts, onInbound: ({ refuse }) => refuse("nobody-there") });
  onTestFinished(() => own.close());
  return { own, diary };
}

async function makeCarrier() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const key = { organisationId, carrierId: randomUUID() };
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await insertCarrier(tx, { ...key, kind, label: "Trunk", settings: { host: "old.example" } });
    await useCarriers(tx, organisationId, [key.carrierId]);
  });
  return key;
}

const dialled = { callSid: "CA1", to: "+12025550100", callerId: null, offer: "", onEvent: () => {} };

/** A call through the organisation's carrier. */
async function dialThrough(own: ReturnType<typeof createOwnCarriers>, organisationId: string) {
  const found = await own.inUse(organisationId);
  const user = { callSid: dialled.callSid };
  const channel = await reserveChannel(app.database, { organisationId, carrier: found?.connection ?? null, user });
  if (!found || !channel) throw new Error("There is no carrier.");
  return found.carrier.dial({ ...dialled, permit: await waitForTurn(channel) });
}

test("settings that can't be applied during a call are applied after it; until then calls use the old ones", async () => {
  const key = await makeCarrier();
  const { organisationId } = key;
  const { own, diary } = startWithPort(async () => true);
  const leg = await dialThrough(own, organisationId);
  await app.database.withTransaction({ organisationId }, (tx) =>
    changeCarrier(tx, key, { settings: { host: "new.example" } }),
  );
  await own.changed(organisationId, []);
  const other = await dialThrough(own, organisationId);
  await other.hangUp();
  const [stored] = await app.database.withTransaction({ organisationId }, (tx) =>
    selectCarriers(tx, { organisationId }),
  );
  if (!stored) throw new Error("no carrier is kept");
  expect(await own.stateOf(stored)).toEqual({
    level: "partly",
    sentence: "Connected. The new settings take effect when its current calls end.",
  });
  expect(diary).toEqual(["opened old.example", "hung up old.example"]);
  await leg.hangUp();
  await own.changed(organisationId, []);
  await own.inUse(organisationId);
  expect(diary.slice(3)).toEqual(["closed old.example", "opened new.example"]);
  expect(await own.stateOf(stored)).toEqual({ level: "working", sentence: "Connected." });
});

test("a carrier stays open unchanged while the database can't say which process owns it", async () => {
  const { organisationId } = await makeCarrier();
  const answers = [true, null, null, true].values();
  const { own, diary } = startWithPort(async () => answers.next().value ?? null);
  for (let i = 0; i < 4; i++) await own.inUse(organisationId);
  expect(diary).toEqual(["opened old.example"]);
});

test("calls go to the first carrier that can be opened, and are refused only if none can", async () => {
  const { organisationId, carrierId } = await makeCarrier();
  const backupId = randomUUID();
  await app.database.withTransaction({ organisationId }, async (tx) => {
    const backup = { organisationId, carrierId: backupId, kind, label: "Backup", settings: { host: "new.example" } };
    await insertCarrier(tx, backup);
    await useCarriers(tx, organisationId, [carrierId, backupId]);
  });
  const broken = new Set<string>([carrierId]);
  const { own } = startWithPort(async (id) => {
    if (broken.has(id)) throw new Error("It cannot be opened.");
    return true;
  });
  expect((await own.inUse(organisationId))?.connection?.id).toBe(backupId);
  expect(await own.inUse(organisationId, [carrierId, backupId])).toBeNull();
  broken.add(backupId);
  await expect(own.inUse(organisationId)).rejects.toThrow("It cannot be opened.");
});

test("calls go to the first carrier that isn't down, and to one that is only if all are", async () => {
  const { organisationId, carrierId } = await makeCarrier();
  const backupId = randomUUID();
  await app.database.withTransaction({ organisationId }, async (tx) => {
    const backup = { organisationId, carrierId: backupId, kind, label: "Backup", settings: { host: "new.example" } };
    await insertCarrier(tx, backup);
    await useCarriers(tx, organisationId, [carrierId, backupId]);
  });
  const down = new Set<string>();
  const module: CarrierModule = {
    id: kind,
    name: "Diary",
    capabilities: { hold: false, transfer: false, inbound: true, digits: null, numbers: false },
    settings: z.object({ host: z.string() }),
    open: async ({ host }) => ({
      dial: () => Promise.reject(new Error("It carries no calls.")),
      state: () => ({ level: down.has(String(host)) ? "down" : "working", sentence: "" }),
      close: async () => {},
    }),
  };
  const exclusiveLocks = { tryHold: async () => true, release: async () => {} };
  const sealer = createSealer(() => Buffer.alloc(32), "carrier-secrets");
  const parts = { database: app.database, modules: [module], sealer, exclusiveLocks, log };
  const own = createOwnCarriers({ ...parts, onInbound: ({ refuse }) => refuse("nobody-there") });
  onTestFinished(() => own.close());
  const used = async (tried: string[] = []) => (await own.inUse(organisationId, tried))?.connection?.id;
  expect(await used()).toBe(carrierId);
  down.add("old.example");
  expect(await used()).toBe(backupId);
  expect(await own.describeInUse(organisationId)).toMatchObject({ label: "Backup" });
  // After the backup, the one that is down is still tried.
  expect(await used([backupId])).toBe(carrierId);
  down.add("new.example");
  expect(await used()).toBe(carrierId);
});

test("a trunk that has only ignored OPTIONS gets calls before its backup", async () => {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const silent = await startRawPeer({ answersKeepAlive: false });
  const backup = await startRawPeer();
  const ids = [randomUUID(), randomUUID()];
  await app.database.withTransaction({ organisationId }, async (tx) => {
    for (const [i, { port }] of [silent, backup].entries()) {
      const settings = { host: `127.0.0.1:${port}`, transport: "udp", authentication: "ip" };
      await insertCarrier(tx, { organisationId, carrierId: ids[i] ?? "", kind: sipTrunk.id, label: "Trunk", settings });
    }
    await useCarriers(tx, organisationId, ids);
  });
  const exclusiveLocks = { tryHold: async () => true, release: async () => {} };
  const sealer = createSealer(() => Buffer.alloc(32), "carrier-secrets");
  const parts = { database: app.database, modules: [sipTrunk], sealer, exclusiveLocks, log };
  const own = createOwnCarriers({ ...parts, onInbound: ({ refuse }) => refuse("nobody-there") });
  onTestFinished(async () => {
    await own.close();
    await Promise.all([silent.close(), backup.close()]);
  });
  const [first] = await app.database.withTransaction({ organisationId }, (tx) =>
    selectCarriers(tx, { organisationId, carrierId: ids[0] ?? "" }),
  );
  if (!first) throw new Error("It wasn't stored.");
  // Five seconds after it was asked.
  await expect.poll(async () => (await own.stateOf(first)).sentence).toContain("Some trunks only answer calls");
  expect((await own.inUse(organisationId))?.connection?.id).toBe(ids[0]);
});

test("a carrier that cannot be opened is retried at growing intervals", async () => {
  const { carrierId } = await makeCarrier();
  let tried = 0;
  const tryHold = async (name: string): Promise<boolean> => {
    if (name === carrierId) tried++;
    throw new Error("It cannot be opened.");
  };
  const { own } = startWithPort(tryHold);
  await own.openAll();
  await new Promise((done) => setTimeout(done, 900));
  expect(tried).toBeGreaterThan(1);
  expect(tried).toBeLessThan(8);
});
