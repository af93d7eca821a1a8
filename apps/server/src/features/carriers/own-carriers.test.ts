import { randomUUID } from "node:crypto";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { openHeldAlone } from "../../db/hold-alone.ts";
import { createLog } from "../../log.ts";
import { createSealer } from "../../seal-secrets.ts";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { changeCarrier, insertCarrier, useCarrier } from "./carriers.table.ts";
import { createOwnCarriers } from "./own-carriers.ts";

const app = testApp();
const log = createLog("fatal");
const kind = `diary-${randomUUID()}`;

const waitFor = (holds: () => void): Promise<void> => vi.waitFor(holds, 10_000);

/** A process of its own, with a carrier that only notes how it is opened and closed. */
async function startProcess() {
  const diary: string[] = [];
  const module: CarrierModule = {
    id: kind,
    name: "Diary",
    capabilities: { hold: false, inbound: true, digits: null, numbers: false },
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
  const heldAlone = await openHeldAlone(database, log);
  const sealer = createSealer(() => Buffer.alloc(32), "carrier-secrets");
  const parts = { database, modules: [module], sealer, heldAlone, log };
  const own = createOwnCarriers({ ...parts, onInbound: ({ refuse }) => refuse("nobody-there"), followEveryMs: 50 });
  let ended = false;
  const end = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    await own.close();
    await heldAlone.close();
  };
  onTestFinished(end);
  await own.openAll();
  return { diary, end };
}

test("one process alone is called through a carrier; when it ends, another takes over, and changes reach them all", async () => {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const carrierId = randomUUID();
  const key = { organisationId, carrierId };
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await insertCarrier(tx, { ...key, kind, label: "Trunk", settings: { host: "old.example" } });
    await useCarrier(tx, organisationId, carrierId);
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

  await app.database.withTransaction({ organisationId }, (tx) => useCarrier(tx, organisationId, null));
  await waitFor(() => expect(second.diary.at(-1)).toBe("closed new.example alone"));
});
