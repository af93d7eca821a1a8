import { randomUUID } from "node:crypto";
import { teammateCarrier } from "@leadline/contract/transfers";
import { describe, expect, test } from "vitest";
import { flatRate } from "../../testing/flat-rate.ts";
import { limitRequests } from "../../testing/limit-requests.ts";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";
import { readLimits } from "./limits.table.ts";

const app = testAppWithCalls();
const { call, hangUp, put, get } = limitRequests(app);

describe("the daily spending limit", () => {
  test("a limit of $0 refuses every call, even the first", async () => {
    const owner = await newRep(app);
    await put(owner, { dailySpend: 0 });
    const refused = await call(owner, "+12025550100");
    expect([refused.statusCode, refused.json().detail]).toEqual([
      429,
      "Your organisation’s daily spending limit is $0, which blocks all calls. An admin can raise it under Settings, Limits.",
    ]);
  });

  test("a call is refused once the day's limit is spent, and unanswered calls spend nothing", async () => {
    const owner = await newRep(app);
    await put(owner, { dailySpend: 20_000 });
    const unanswered = (await call(owner, "+12025550104")).json().callSid;
    await hangUp(owner, unanswered);
    expect((await get(owner)).json().used.dailySpend).toBe(0);
    const charge = (micros: number, at?: string) =>
      app.database.withTransaction({ organisationId: owner.organisationId }, (tx) =>
        tx
          .updateTable("calls")
          .set({ cost_micros: micros, ...(at !== undefined && { created_at: at, ended_at: at }) })
          .where("call_sid", "=", unanswered)
          .execute(),
      );
    await charge(20_000);
    const refused = await call(owner, "+12025550100");
    expect(refused.statusCode).toBe(429);
    expect(refused.json().detail).toContain("Daily spending limit reached");
    await charge(20_000, new Date(Date.now() - 25 * 3600 * 1000).toISOString());
    const next = await call(owner, "+12025550100");
    expect(next.statusCode).toBe(201);
    await hangUp(owner, next.json().callSid);
  });

  test("counts a call without a known price as $0, and the limits say how many there were today", async () => {
    const owner = await newRep(app);
    const at = new Date().toISOString();
    const answered = { at, talkMs: 60_000 };
    await leavePastCalls(app, owner, [
      { ...answered, pricePerMinuteMicros: 13_000 },
      answered,
      // Its price is known to be nothing.
      { ...answered, pricePerMinuteMicros: 0 },
      // The carrier has billed it since.
      { ...answered, costMicros: 7_000 },
      { at },
      { ...answered, direction: "inbound" },
      { ...answered, carrier: teammateCarrier },
      { ...answered, at: new Date(Date.now() - 25 * 3600 * 1000).toISOString() },
    ]);
    expect((await get(owner)).json().used).toMatchObject({ dailySpend: 20_000, unpricedCalls: 1 });
  });

  test("a live call uses up its second minute once that has begun", async () => {
    const owner = await newRep(app);
    const { organisationId } = owner;
    // Inside the transaction, so that nobody ends the call that no process carries.
    const spent = await app.database.withTransaction({ organisationId }, async (tx) => {
      const calls = tx.insertInto("calls").values({
        call_sid: `CA${randomUUID().replaceAll("-", "")}`,
        organisation_id: organisationId,
        user_id: owner.id,
        direction: "outbound",
        status: "in-progress",
        phone_number: "+12025550100",
        phone_number_typed: "+12025550100",
        carrier: "sandbox",
        rate: JSON.stringify(flatRate(13_000)),
        process_key: 0,
      });
      await calls.execute();
      const spentAfter = async (seconds: number): Promise<number> => {
        const answered_at = new Date(Date.now() - seconds * 1000).toISOString();
        const set = { created_at: answered_at, answered_at };
        await tx.updateTable("calls").set(set).where("user_id", "=", owner.id).execute();
        return (await readLimits(tx, { organisationId, userId: owner.id })).organisation.used.dailySpend;
      };
      // The last call has been running since yesterday, and still counts after it has ended.
      const whileLive = [await spentAfter(10), await spentAfter(70), await spentAfter(24 * 3_600 - 30)];
      const ended_at = new Date().toISOString();
      const cost_micros = 1_440 * 13_000;
      const end = {
        status: "completed",
        ended_at,
        duration_ms: 86_400_000,
        reason: "hung-up-here",
        cost_micros,
      } as const;
      await tx.updateTable("calls").set(end).where("user_id", "=", owner.id).execute();
      const { organisation, member } = await readLimits(tx, { organisationId, userId: owner.id });
      return [...whileLive, organisation.used.dailySpend, member.used.dailySpend];
    });
    expect(spent).toEqual([13_000, 26_000, 1_440 * 13_000, 1_440 * 13_000, 1_440 * 13_000]);
  });

  test("a call still counts when a change of time zone starts a new day", async () => {
    const owner = await newRep(app);
    const { organisationId } = owner;
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    await app.database.withTransaction({ organisationId }, async (tx) => {
      const past = {
        call_sid: `CA${randomUUID().replaceAll("-", "")}`,
        organisation_id: organisationId,
        user_id: owner.id,
        direction: "outbound" as const,
        status: "in-progress" as const,
        phone_number: "+12025550100",
        phone_number_typed: "+12025550100",
        carrier: "sandbox",
        rate: JSON.stringify(flatRate(13_000)),
        process_key: 0,
        created_at: ago(120),
        answered_at: ago(120),
      };
      await tx.insertInto("calls").values(past).execute();
      await tx
        .updateTable("calls")
        .set({
          status: "completed",
          ended_at: ago(119),
          duration_ms: 60_000,
          reason: "hung-up-here",
          cost_micros: 13_000,
        })
        .execute();
    });
    const spent = () =>
      app.database.withTransaction({ organisationId }, (tx) => readLimits(tx, { organisationId, userId: owner.id }));
    // A time zone where it is shortly past midnight.
    const hour = new Date().getUTCHours();
    const timeZone = hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`;
    const changed = await app.ask("PUT", `/v1/organisations/${organisationId}`, {
      token: owner.token,
      body: { timeZone },
    });
    expect(changed.statusCode).toBe(200);
    expect((await spent()).organisation.used.dailySpend).toBe(13_000);
  });
});
