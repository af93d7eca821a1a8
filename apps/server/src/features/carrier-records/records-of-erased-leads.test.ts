import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { connectAccount } from "../../testing/connect-account.ts";
import { counted, haveCalled } from "../../testing/have-called.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, publicAddress: async () => null }),
});
const vendor = provisioners[0]?.module.id ?? "";

test("records that come after an erasure bring no number of the person back, and still correct what the calls cost", async () => {
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error("The first vendor has no sandbox.");
  const rep = await newRep(app);
  const { organisationId } = rep;
  const account = await connectAccount(app, rep, { vendor, sandbox });
  const [erased, stranger] = ["+13035550142", "+13035550143"];
  const lead = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: erased };
  const leadId: string = (await app.ask("POST", "/v1/leads", { token: rep.token, body: lead })).json().id;
  const before = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const call = (phoneNumber: string, { minutesAgo, id }: { minutesAgo: number; id: string | null }) => ({
    callSid: `CA${randomUUID().replaceAll("-", "")}`,
    carrierCallId: id,
    phoneNumber,
    seconds: 60,
    begunAt: before(minutesAgo),
  });
  const named = call(erased, { minutesAgo: 120, id: randomUUID() });
  const nameless = call(erased, { minutesAgo: 110, id: null });
  const strangers = call(stranger, { minutesAgo: 100, id: null });
  await haveCalled(app, rep, account, [named, nameless, strangers]);
  const body = { currentPassword: rep.password };
  expect((await app.ask("POST", `/v1/leads/${leadId}/erase`, { token: rep.token, body })).statusCode).toBe(204);

  const record = (to: string, startedAt: Date, id?: string) =>
    sandbox.addRecord({ trunk: account.trunk, from: "+12025550199", to, startedAt, seconds: 60, ...(id && { id }) });
  for (const { phoneNumber, begunAt, carrierCallId } of [named, nameless, strangers])
    record(phoneNumber, begunAt, carrierCallId ?? undefined);
  // Someone else who uses the trunk's password called the person before the erasure, and calls a number after it.
  record(erased, before(90));
  record(stranger, new Date(Date.now() + 5_000));
  expect((await app.ask("POST", "/v1/billing/carrier-costs/read", { token: rep.token })).statusCode).toBe(204);

  const { rows } = await app.database.withTransaction(rep, (tx) =>
    sql<{ to_number: string; call_sid: string | null }>`
      select to_number, call_sid from carrier_records where organisation_id = ${organisationId} order by began_at`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([
    { to_number: "", call_sid: named.callSid },
    { to_number: "", call_sid: nameless.callSid },
    { to_number: stranger, call_sid: strangers.callSid },
    { to_number: "", call_sid: null },
    { to_number: stranger, call_sid: null },
  ]);
  const costs = await app.ask("GET", `/v1/calls/${nameless.callSid}/carrier-cost`, { token: rep.token });
  expect(costs.json()).toMatchObject({ countedMicros: counted, carrierCost: { currency: "USD" } });
});
