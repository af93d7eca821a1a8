import type { PeriodFigures, Statistics } from "@leadline/contract/statistics";
import { describe, expect, test } from "vitest";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { newRep, type Rep } from "../../testing/test-calls.ts";
import { selectStatistics } from "./statistics.table.ts";

const app = testApp();
const ask = (rep: Rep, query: string) => app.ask("GET", `/v1/statistics?${query}`, { token: rep.token });
async function read(rep: Rep, query: string): Promise<Statistics> {
  const answer = await ask(rep, query);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const outcomesOf = async (rep: Rep): Promise<{ id: string; name: string }[]> =>
  (await app.ask("GET", "/v1/call-outcomes", { token: rep.token })).json();
const busyHours = (figures: PeriodFigures) => figures.hours.filter(({ calls }) => calls > 0);

const nothing = {
  calls: 0,
  ended: 0,
  answered: 0,
  connectRate: null,
  talkMs: 0,
  averageTalkMs: null,
  averageSetupMs: null,
  costMicros: 0,
  unpricedCalls: 0,
  outcomes: [],
};

describe("the figures of a period", () => {
  test("include inbound calls, but not as calls in which somebody was reached", async () => {
    const rep = await newRep(app);
    await leavePastCalls(app, rep, [
      { at: "2026-01-14T09:00:00Z", talkMs: 10_000, setupMs: 1_000 },
      { at: "2026-01-14T09:10:00Z" },
      { at: "2026-01-14T09:20:00Z", direction: "inbound", talkMs: 20_000, setupMs: 9_000 },
    ]);
    const { period } = await read(rep, "from=2026-01-14&to=2026-01-14");
    expect(period).toMatchObject({ calls: 3, answered: 2, talkMs: 30_000, connectRate: 0.5, averageSetupMs: 1_000 });
  });

  test("are exact, and so are those of the previous period", async () => {
    const rep = await newRep(app);
    const [interested, callBack] = await outcomesOf(rep);
    await leavePastCalls(app, rep, [
      { at: "2026-01-11T23:59:59Z", talkMs: 999_999 },
      // The previous period: two days.
      { at: "2026-01-12T00:00:00Z", talkMs: 30_000, setupMs: 2_000, costMicros: 5_000, outcomeId: callBack?.id ?? "" },
      { at: "2026-01-13T23:59:59Z" },
      // The period.
      {
        at: "2026-01-14T00:00:00Z",
        talkMs: 61_600,
        setupMs: 1_000,
        costMicros: 12_345,
        outcomeId: interested?.id ?? "",
      },
      { at: "2026-01-14T09:30:00Z", status: "busy" },
      { at: "2026-01-14T09:59:59Z", talkMs: 8_999, setupMs: 2_001, outcomeId: interested?.id ?? "" },
      { at: "2026-01-15T23:59:59Z", status: "failed", costMicros: 1, outcomeId: callBack?.id ?? "" },
      { at: "2026-01-16T00:00:00Z", talkMs: 999_999 },
    ]);
    const { period, before, timeZone, members } = await read(rep, "from=2026-01-14&to=2026-01-15");
    expect(timeZone).toBe("UTC");
    expect(members).toMatchObject([{ userId: rep.id, calls: 4, talkMs: 69_000 }]);
    expect(period).toMatchObject({
      startsAt: "2026-01-14T00:00:00.000000Z",
      endsAt: "2026-01-16T00:00:00.000000Z",
      calls: 4,
      ended: 4,
      answered: 2,
      connectRate: 0.5,
      // The whole seconds that each call shows: 1:01 and 0:08.
      talkMs: 69_000,
      averageTalkMs: 34_500,
      averageSetupMs: 1501,
      costMicros: 12_346,
      outcomes: [
        { outcomeId: interested?.id, name: "Interested", calls: 2 },
        { outcomeId: callBack?.id, name: "Call back", calls: 1 },
        { outcomeId: null, name: "No outcome", calls: 1 },
      ],
      days: [
        { date: "2026-01-14", calls: 3, answered: 2, costMicros: 12_345 },
        { date: "2026-01-15", calls: 1, answered: 0, costMicros: 1 },
      ],
    });
    expect(busyHours(period)).toEqual([
      { hour: 0, calls: 1, answered: 1 },
      { hour: 9, calls: 2, answered: 1 },
      { hour: 23, calls: 1, answered: 0 },
    ]);
    expect(before).toMatchObject({
      startsAt: "2026-01-12T00:00:00.000000Z",
      endsAt: "2026-01-14T00:00:00.000000Z",
      calls: 2,
      connectRate: 0.5,
      talkMs: 30_000,
      averageSetupMs: 2000,
      costMicros: 5000,
      days: [{ date: "2026-01-12" }, { date: "2026-01-13" }],
    });
  });

  test("say how many answered calls had no known rate, which the cost leaves out", async () => {
    const rep = await newRep(app);
    const answered = { at: "2026-01-14T09:00:00Z", talkMs: 60_000 };
    await leavePastCalls(app, rep, [
      { ...answered, pricePerMinuteMicros: 13_000 },
      { ...answered, pricePerMinuteMicros: 0 },
      answered,
      answered,
      { at: answered.at },
      { ...answered, direction: "inbound" },
      { ...answered, at: "2026-01-13T09:00:00Z" },
    ]);
    const { period, before } = await read(rep, "from=2026-01-14&to=2026-01-14");
    expect(period).toMatchObject({ costMicros: 13_000, unpricedCalls: 2 });
    expect(before).toMatchObject({ costMicros: 0, unpricedCalls: 1 });
  });

  test("are empty, not wrong, without calls", async () => {
    const rep = await newRep(app);
    const { period, before, members } = await read(rep, "from=2026-01-14&to=2026-01-14&timeZone=America/New_York");
    expect(period).toMatchObject(nothing);
    expect(before).toMatchObject(nothing);
    expect(period.hours).toHaveLength(24);
    expect(period.days).toEqual([{ date: "2026-01-14", calls: 0, answered: 0, costMicros: 0 }]);
    expect(members).toEqual([{ userId: rep.id, name: "Robin Tester", calls: 0, answered: 0, talkMs: 0 }]);
  });

  test("count a live call as a call, and until it ends neither as connected nor as not connected", async () => {
    const rep = await newRep(app);
    const [callSid] = await leavePastCalls(app, rep, [
      { at: "2026-01-14T10:00:00Z", talkMs: 5000 },
      { at: "2026-01-14T10:10:00Z" },
    ]);
    const scope = { organisationId: rep.organisationId };
    const day = { ...scope, from: "2026-01-14", to: "2026-01-14", timeZone: "UTC", userId: null };
    // Reverted in the same transaction, because nobody else may see a live call that no process carries.
    const { period } = await app.database.withTransaction(scope, async (tx) => {
      const change = (set: object) =>
        tx
          .updateTable("calls")
          .set(set)
          .where("call_sid", "=", callSid ?? "")
          .execute();
      await change({ status: "in-progress", ended_at: null, reason: null, duration_ms: 0 });
      const figures = await selectStatistics(tx, day);
      await change({ status: "completed", ended_at: "2026-01-14T10:00:05Z", reason: "left", duration_ms: 5000 });
      return figures;
    });
    expect(period).toMatchObject({ calls: 2, ended: 1, answered: 1, connectRate: 0, averageTalkMs: null });
  });
});

describe("days in a time zone", () => {
  test("a day on which the clocks go forward has 23 hours, and no calls at 2", async () => {
    const rep = await newRep(app);
    await leavePastCalls(app, rep, [
      { at: "2026-03-28T22:59:59Z" },
      { at: "2026-03-28T23:00:00Z" },
      { at: "2026-03-29T00:59:59Z" },
      { at: "2026-03-29T01:00:00Z" },
      { at: "2026-03-29T21:59:59Z" },
      { at: "2026-03-29T22:00:00Z" },
    ]);
    const { period, before } = await read(rep, "from=2026-03-29&to=2026-03-29&timeZone=Europe/Berlin");
    expect([period.startsAt, period.endsAt]).toEqual(["2026-03-28T23:00:00.000000Z", "2026-03-29T22:00:00.000000Z"]);
    expect(busyHours(period).map(({ hour, calls }) => [hour, calls])).toEqual([
      [0, 1],
      [1, 1],
      [3, 1],
      [23, 1],
    ]);
    expect([before.startsAt, before.calls]).toEqual(["2026-03-27T23:00:00.000000Z", 1]);
  });

  test("a day on which they go back has 25, and counts both hours from 2 to 3 as 2", async () => {
    const rep = await newRep(app);
    await leavePastCalls(app, rep, [
      { at: "2026-10-24T22:00:00Z" },
      { at: "2026-10-25T00:30:00Z" },
      { at: "2026-10-25T01:30:00Z" },
      { at: "2026-10-25T22:59:59Z" },
      { at: "2026-10-25T23:00:00Z" },
    ]);
    const { period } = await read(rep, "from=2026-10-25&to=2026-10-25&timeZone=Europe/Berlin");
    expect(Date.parse(period.endsAt) - Date.parse(period.startsAt)).toBe(25 * 3_600_000);
    expect(busyHours(period).map(({ hour, calls }) => [hour, calls])).toEqual([
      [0, 1],
      [2, 2],
      [23, 1],
    ]);
    const week = await read(rep, "from=2026-10-24&to=2026-10-30&timeZone=Europe/Berlin");
    expect(week.period.days.map(({ calls }) => calls)).toEqual([0, 4, 1, 0, 0, 0, 0]);
  });

  test("use the organisation's time zone by default", async () => {
    const rep = await newRep(app);
    await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, {
      token: rep.token,
      body: { timeZone: "America/New_York" },
    });
    await leavePastCalls(app, rep, [{ at: "2026-01-14T04:59:59Z" }, { at: "2026-01-14T05:00:00Z" }]);
    const { period, timeZone } = await read(rep, "from=2026-01-14&to=2026-01-14");
    expect([timeZone, period.calls, period.startsAt]).toEqual(["America/New_York", 1, "2026-01-14T05:00:00.000000Z"]);
  });

  test("while a period runs, the previous one ends at the same time of day", async () => {
    const rep = await newRep(app);
    await leavePastCalls(app, rep, [
      { at: "2026-03-27T23:00:00Z" },
      { at: "2026-03-28T08:14:59Z" },
      { at: "2026-03-28T08:15:00Z" },
      { at: "2026-03-29T07:00:00Z" },
    ]);
    // 09:15 in summer time; the day before, 09:15 was an hour later by UTC.
    const { period, before } = await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      selectStatistics(tx, {
        organisationId: rep.organisationId,
        from: "2026-03-29",
        to: "2026-03-29",
        timeZone: "Europe/Berlin",
        userId: null,
        now: "2026-03-29T07:15:00Z",
      }),
    );
    expect(period.calls).toBe(1);
    expect(before).toMatchObject({ calls: 2, endsAt: "2026-03-28T08:15:00.000000Z" });
  });
});

describe("the scope of figures", () => {
  test("one member's figures include only their calls; the list of members always includes everyone", async () => {
    const rep = await newRep(app);
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
    const former = await newRep(app);
    await leavePastCalls(app, rep, [
      { at: "2026-02-02T08:00:00Z", talkMs: 1000 },
      { at: "2026-02-02T09:00:00Z", userId: colleague.id, talkMs: 4900 },
      { at: "2026-02-02T10:00:00Z", userId: colleague.id },
      { at: "2026-02-02T11:00:00Z", userId: former.id },
    ]);
    const theirs = await read({ ...rep, token: colleague.token }, `from=2026-02-02&to=2026-02-02&userId=${rep.id}`);
    expect(theirs.period).toMatchObject({ calls: 1, talkMs: 1000 });
    expect(theirs.members.map(({ userId, calls, talkMs }) => [userId, calls, talkMs])).toEqual([
      [colleague.id, 2, 4000],
      [former.id, 1, 0],
      [rep.id, 1, 1000],
    ]);
    expect(theirs.members[1]?.name).toBe("Former member");
  });

  test("never include another organisation's data, even if its member is requested", async () => {
    const rep = await newRep(app);
    const stranger = await newRep(app);
    await leavePastCalls(app, rep, [{ at: "2026-02-02T08:00:00Z", talkMs: 1000, costMicros: 5 }]);
    for (const filter of ["", `&userId=${rep.id}`]) {
      const { period, members } = await read(stranger, `from=2026-02-01&to=2026-02-03${filter}`);
      expect(period).toMatchObject(nothing);
      expect(members.map(({ userId }) => userId)).toEqual([stranger.id]);
    }
  });
});

test("refuses a period that ends before it begins, a long one, and unknown time zones, with an explanation", async () => {
  const rep = await newRep(app);
  const cases = [
    ["from=2026-02-02&to=2026-02-01", "The last day is before the first."],
    ["from=2025-01-01&to=2026-01-02", "Ask for 366 days at most."],
    ["from=2026-02-30&to=2026-03-01", "Enter a day as YYYY-MM-DD."],
    ["from=2026-02-01&to=2026-02-01&timeZone=Mars/Olympus", "Choose a time zone."],
    ["from=2026-02-01&to=2026-02-01&timeZone=%2B02:00", "Choose a time zone."],
  ];
  for (const [query, detail] of cases) {
    const refused = await ask(rep, query ?? "");
    expect([refused.statusCode, refused.json().detail]).toEqual([422, detail]);
  }
});
