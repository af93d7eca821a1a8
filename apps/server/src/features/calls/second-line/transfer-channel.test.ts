import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { Client } from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { ownMigratedDatabase } from "../../../testing/own-database.ts";
import { puppets, stringed } from "../../../testing/puppet-carrier.ts";
import { dial, newRep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

// Its table of calls is changed.
const database = await ownMigratedDatabase();
afterAll(() => database.drop());
const app = testAppWithCalls([sandbox, stringed], { databaseUrl: database.url });

test("a transfer whose wait can't be stored is carried out, and gives its channel back", async () => {
  const rep = await newRep(app);
  const { organisationId, token } = rep;
  const label = "Unstorable";
  const settings = { line: "1" };
  const carrier = { kind: "stringed", label, settings, callsPerSecond: 1, channels: 5 };
  const { id: carrierId } = (await app.ask("POST", "/v1/carriers", { token, body: carrier })).json();
  const callSid = await dial(app, rep, "+12025550101");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });

  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`alter table calls add constraint unstorable check (waits_for is distinct from '${label}')`);
  const at = new Date(Date.now() + 2_000).toISOString();
  await app.database.withTransaction({ organisationId }, (tx) =>
    tx.updateTable("trunk_lines").set({ next_call_at: at }).where("carrier_id", "=", carrierId).execute(),
  );
  const held = () =>
    app.database.withTransaction({ organisationId }, (tx) =>
      tx.selectFrom("trunk_line_holds").select("id").where("carrier_id", "=", carrierId).execute(),
    );
  const phoneNumber = "+12025550199";
  expect((await app.ask("POST", `/v1/calls/${callSid}/transfer`, { token, body: { phoneNumber } })).statusCode).toBe(
    200,
  );
  const puppet = puppets.get(callSid);
  await vi.waitFor(() => expect(puppet?.sentTo).toEqual([phoneNumber]), { timeout: 8_000 });
  expect(await held()).toHaveLength(1);
  puppet?.say({ type: "refused", why: { reason: "busy", sip: 486 } });
  await vi.waitFor(async () => expect(await held()).toEqual([]));
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token });
});
