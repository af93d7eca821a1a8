import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const app = testAppWithCalls();

test("what carriers bill in other currencies is neither lost nor converted, by month, in the statement and the carrier costs", async () => {
  const [rep, stranger] = [await newRep(app), await newRep(app)];
  const { organisationId } = rep;
  const connection = { organisation_id: organisationId, connection_id: randomUUID() };
  const call = (costMicros: number, at: string) => ({
    call_sid: `CA${randomUUID().replaceAll("-", "")}`,
    organisation_id: organisationId,
    user_id: rep.id,
    direction: "outbound" as const,
    status: "completed" as const,
    phone_number: "+12025550100",
    phone_number_typed: "+12025550100",
    carrier: "sip-trunk",
    created_at: at,
    answered_at: at,
    ended_at: at,
    duration_ms: 60_000,
    cost_micros: costMicros,
    reason: "hung-up-here" as const,
    process_key: 1,
  });
  const record = (at: string, cost: number | null, currency: string | null, callSid: string | null = null) => ({
    ...connection,
    record_id: randomUUID(),
    from_number: "",
    to_number: "+12025550100",
    began_at: at,
    seconds: 60,
    cost,
    currency,
    call_sid: callSid,
    matched_by: callSid === null ? null : ("call-id" as const),
  });
  const march = "2026-03-05T12:00:00Z";
  const [unpriced, counted] = [call(0, march), call(13_000, march)];
  await app.database.withTransaction({ organisationId }, async (tx) => {
    await tx.insertInto("calls").values([unpriced, counted]).execute();
    await tx
      .insertInto("carrier_records")
      .values([
        record(march, 20_000, "EUR", unpriced.call_sid),
        record(march, 30_000, "EUR", counted.call_sid),
        record(march, 5_000, "EUR"),
        record(march, 1_000, "GBP"),
        record(march, 9_000, "USD"),
        record(march, null, null),
        record("2026-04-02T12:00:00Z", 7_000, "EUR"),
      ])
      .execute();
  });
  const otherCurrencies = [
    { currency: "EUR", micros: 55_000, uncountedMicros: 25_000 },
    { currency: "GBP", micros: 1_000, uncountedMicros: 1_000 },
  ];
  const ask = async (path: string, { token } = rep) =>
    (await app.ask("GET", `${path}?month=2026-03`, { token })).json();
  expect(await ask("/v1/billing/statement")).toMatchObject({ otherCurrencies });
  expect((await ask("/v1/billing/carrier-costs")).totals).toMatchObject({ otherCurrencies });
  expect(await ask("/v1/billing/statement", stranger)).toMatchObject({ otherCurrencies: [] });
});
