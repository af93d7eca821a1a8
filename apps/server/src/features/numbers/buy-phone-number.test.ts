import { randomUUID } from "node:crypto";
import type { AvailableNumber } from "@leadline/contract/phone-numbers";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";
import { lockNumbers } from "./phone-numbers.table.ts";

const app = testAppWithCalls();

test("a number isn't free of charge because the organisation becomes prepaid while it is bought", async () => {
  const { token, organisationId } = await newRep(app);
  const found = await app.ask("GET", "/v1/phone-numbers/available?countryCode=US", { token });
  const [offered]: AvailableNumber[] = found.json();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const holding = app.database.withTransaction({ organisationId }, async (tx) => {
    await lockNumbers(tx, organisationId);
    isLocked();
    await released;
  });
  await locked;
  const headers = { "idempotency-key": randomUUID() };
  const buying = app.ask("POST", "/v1/phone-numbers", { token, body: { number: offered?.number }, headers });
  const waiting = () =>
    app.database.withTransaction({ system: "test" }, async (tx) => {
      const { rows } = await sql`
        select from pg_locks where locktype = 'advisory' and not granted
          and objid = (hashtextextended('phone-numbers:' || ${organisationId}, 0) & 4294967295)::oid`.execute(tx);
      return rows.length;
    });
  await expect.poll(waiting).toBe(1);
  expect((await app.ask("PUT", "/v1/billing/mode", { token, body: { mode: "prepaid" } })).statusCode).toBe(200);
  release();
  await holding;
  const refused = await buying;
  expect([refused.statusCode, refused.json().type]).toEqual([402, "/api/docs#balance-too-low"]);
  expect((await app.ask("GET", "/v1/phone-numbers", { token })).json()).toEqual([]);
});
