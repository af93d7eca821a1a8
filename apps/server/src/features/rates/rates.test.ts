import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { costOfCall } from "@leadline/contract/cost-of-call";
import type { NumberRate, Rate } from "@leadline/contract/rates";
import { assert, asyncProperty, integer, record } from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { flatRate } from "../../testing/flat-rate.ts";
import { joinOrganisation, registerPerson } from "../../testing/test-app.ts";
import { sandboxLine } from "../../testing/sandbox-line.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

const { kind, line } = sandboxLine();
const app = testAppWithCalls([sandbox, line]);
const speaking = "+12025550100";
const since = "2000-01-01";

async function connect(rep: Rep): Promise<string> {
  const body = { kind, label: "Line", settings: { line: "1" } };
  return (await app.ask("POST", "/v1/carriers", { token: rep.token, body })).json().id;
}
const save = (rep: Rep, carrierId: string, rate: object) =>
  app.ask("PUT", `/v1/carriers/${carrierId}/rates`, {
    token: rep.token,
    body: { effectiveFrom: since, ...flatRate(10_000), ...rate, currentPassword: rep.password },
  });
const rateOf = async (rep: Rep, phoneNumber: string): Promise<NumberRate> =>
  (
    await app.ask("GET", `/v1/rates/number?phoneNumber=${encodeURIComponent(phoneNumber)}`, { token: rep.token })
  ).json();
const list = async (
  rep: Rep,
  carrierId: string,
  query = "",
): Promise<{ rates: Rate[]; hasMore: boolean; total: number }> =>
  (await app.ask("GET", `/v1/carriers/${carrierId}/rates?${query}`, { token: rep.token })).json();
const upload = (rep: Rep, carrierId: string, csv: string) => {
  const form = new FormData();
  form.append("carrierId", carrierId);
  form.append("currentPassword", rep.password);
  form.append("file[]", new File([csv], "deck.csv"));
  return app.ask("POST", "/v1/rates/import", { token: rep.token, form });
};
const hangUp = (rep: Rep, callSid: string) => app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });

describe("the price of a call", () => {
  test("is the fee plus each interval that was started, rounded up to the micro", () => {
    const rate = { perMinuteMicros: 10_000, connectionFeeMicros: 5_000, firstSeconds: 30, nextSeconds: 6 };
    const lasted = [0, 1, 30_000, 30_001, 36_000, 36_001, 60_000].map((ms) => costOfCall(rate, ms));
    expect(lasted).toEqual([10_000, 10_000, 10_000, 11_000, 11_000, 12_000, 15_000]);
    expect(costOfCall({ ...rate, perMinuteMicros: 1, connectionFeeMicros: 0 }, 1)).toBe(1);
    expect(costOfCall(null, 60_000)).toBe(0);
  });

  test("is the same on a screen and in the database", async () => {
    const anyRate = record({
      perMinuteMicros: integer({ min: 0, max: 100_000_000 }),
      connectionFeeMicros: integer({ min: 0, max: 100_000_000 }),
      firstSeconds: integer({ min: 1, max: 3_600 }),
      nextSeconds: integer({ min: 1, max: 3_600 }),
    });
    await app.database.withTransaction({ system: "price calls" }, async (tx) =>
      assert(
        asyncProperty(anyRate, integer({ min: 0, max: 86_400_000 }), async (rate, durationMs) => {
          const { rows } = await sql<{ cost: number }>`
            select cost_of_call(${JSON.stringify(rate)}::jsonb, ${durationMs}::numeric) as cost`.execute(tx);
          const cost = costOfCall(rate, durationMs);
          expect(rows[0]?.cost).toBe(cost);
          // At least the price of the time itself, and less than one interval more.
          const { perMinuteMicros, connectionFeeMicros: fee, firstSeconds, nextSeconds } = rate;
          const billedMs = Math.max(durationMs, firstSeconds * 1_000);
          expect(cost - fee).toBeGreaterThanOrEqual((perMinuteMicros * billedMs) / 60_000 - 0.001);
          expect(cost - fee).toBeLessThan((perMinuteMicros * (billedMs + nextSeconds * 1_000)) / 60_000 + 1);
        }),
        { numRuns: 500 },
      ),
    );
  });
});

describe("a carrier's rates", () => {
  test("apply by the longest prefix that is in force, with the margin", async () => {
    const rep = await newRep(app);
    const id = await connect(rep);
    expect(await rateOf(rep, "+4930901820")).toEqual({ rate: null, description: "", isSandbox: false });
    await save(rep, id, { prefix: "", perMinuteMicros: 90_000 });
    await save(rep, id, { prefix: "+49", description: "Germany", perMinuteMicros: 20_000 });
    await save(rep, id, { prefix: "4930", description: "Berlin", perMinuteMicros: 30_001, connectionFeeMicros: 7 });
    await save(rep, id, { prefix: "4930", effectiveFrom: "2999-01-01", perMinuteMicros: 1 });
    await app.ask("PUT", `/v1/carriers/${id}/margin`, { token: rep.token, body: { marginPercent: 15 } });
    const micros = async (number: string) => (await rateOf(rep, number)).rate?.perMinuteMicros;
    expect([await micros("+4930901820"), await micros("+4989123456"), await micros("+12025550100")]).toEqual([
      34_502, 23_000, 103_500,
    ]);
    expect(await rateOf(rep, "+49 30 901820")).toMatchObject({
      description: "Berlin",
      rate: { connectionFeeMicros: 9 },
    });
    // A later price for the same prefix takes effect on its day.
    await save(rep, id, { prefix: "4930", effectiveFrom: "2001-01-01", perMinuteMicros: 40_000 });
    expect(await micros("+4930901820")).toBe(46_000);
  });

  test("set the price of a call that begins, which keeps it through a later change", async () => {
    const rep = await newRep(app);
    const id = await connect(rep);
    await save(rep, id, { prefix: "1", perMinuteMicros: 13_000, connectionFeeMicros: 500 });
    const callSid = await dial(app, rep, speaking);
    const live = await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect(live.rate).toEqual({ ...flatRate(13_000), connectionFeeMicros: 500 });
    await save(rep, id, { prefix: "1", perMinuteMicros: 99_000 });
    expect((await hangUp(rep, callSid)).json()).toMatchObject({ costMicros: 13_500 });
  });

  test("are listed by prefix, searched, paged and removed", async () => {
    const rep = await newRep(app);
    const id = await connect(rep);
    const rows = Array.from({ length: 101 }, (_, n) => `49${100 + n},0.01,Place ${n}`);
    expect((await upload(rep, id, ["Prefix,Price,Destination", ...rows].join("\n"))).json()).toEqual({ imported: 101 });
    const first = await list(rep, id);
    expect([first.rates.length, first.hasMore, first.total]).toEqual([100, true, 101]);
    const second = await list(rep, id, `after=${first.rates.at(-1)?.id}`);
    expect([second.rates.map(({ prefix }) => prefix), second.hasMore]).toEqual([["49200"], false]);
    expect((await list(rep, id, "search=place 42")).rates).toMatchObject([{ prefix: "49142" }]);
    expect((await list(rep, id, "search=%2B4911")).rates).toHaveLength(10);
    const body = { currentPassword: rep.password };
    const remove = () => app.ask("DELETE", `/v1/rates/${second.rates[0]?.id}`, { token: rep.token, body });
    expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 404]);
    expect((await list(rep, id)).total).toBe(100);
  });

  test("are changed by owners and admins only", async () => {
    const owner = await newRep(app);
    const id = await connect(owner);
    const member = { ...(await registerPerson(app)), organisationId: owner.organisationId };
    await joinOrganisation(app, member, { organisationId: owner.organisationId, role: "member" });
    expect((await save(member, id, { prefix: "1" })).statusCode).toBe(403);
    expect((await upload(member, id, "Prefix,Price\n1,0.01")).statusCode).toBe(403);
    await save(owner, id, { prefix: "1" });
    expect(await rateOf(member, speaking)).toMatchObject({ rate: flatRate(10_000) });
    const [rate] = (await list(owner, id)).rates;
    const stranger = await newRep(app);
    const removed = await app.ask("DELETE", `/v1/rates/${rate?.id}`, { token: stranger.token });
    expect([removed.statusCode, (await upload(stranger, id, "Prefix,Price\n1,0.01")).statusCode]).toEqual([404, 404]);
    expect((await list(owner, id)).total).toBe(1);
  });
});

describe("a CSV of rates", () => {
  test("survives a round trip through import and export", async () => {
    const rep = await newRep(app);
    const id = await connect(rep);
    const csv = [
      "code;rate;name;connection fee;increment;effective date",
      "all;0,09;;;;2001-02-03",
      "+49 30;0.0123456;Berlin;0.005;30/6;2001-02-03",
      "4989;1;=Munich;0;1;2001-02-03",
    ];
    const refused = await upload(rep, id, csv.join("\n"));
    expect(refused.json().detail).toContain("Row 3: “0.0123456” is not a price.");
    expect((await list(rep, id)).total).toBe(0);
    expect((await upload(rep, id, csv.join("\n").replace("0.0123456", "0.012345"))).json()).toEqual({ imported: 3 });
    const { rates } = await list(rep, id);
    expect(rates).toMatchObject([
      { prefix: "", ...flatRate(90_000), effectiveFrom: "2001-02-03" },
      { prefix: "4930", perMinuteMicros: 12_345, connectionFeeMicros: 5_000, firstSeconds: 30, nextSeconds: 6 },
      { prefix: "4989", perMinuteMicros: 1_000_000, description: "=Munich", firstSeconds: 1, nextSeconds: 1 },
    ]);
    const exported = await app.ask("GET", `/v1/carriers/${id}/rates/export`, { token: rep.token });
    expect(exported.body).toContain(`"'=Munich"`);
    const other = await connect(rep);
    expect((await upload(rep, other, exported.body)).json()).toEqual({ imported: 3 });
    const plain = (all: Rate[]) => all.map((rate) => ({ ...rate, id: "" }));
    expect(plain((await list(rep, other)).rates)).toEqual(plain(rates));
  });

  test.each([
    ["Country,Price\nGermany,1", "It has no column named “Prefix”."],
    ["Prefix,Name\n49,Germany", "It has no column named “Price per minute (USD)”."],
    ["Prefix,Price\n", "It has no rows after the column names."],
    ["Prefix,Price\n,0.01", "Row 2: Enter the first digits of a number, such as 4930, or “all” for all numbers."],
    ["Prefix,Price\n49x,0.01", "Row 2: Enter the first digits of a number, such as 4930, or “all” for all numbers."],
    ["Prefix,Price\n49,", "Row 2: Enter a price."],
    ["Prefix,Price\n49,-1", "Row 2: “-1” is not a price."],
    ["Prefix,Price,Increment\n49,1,sixty", "Row 2: Enter the increment as 60/60"],
    ["Prefix,Price,Effective\n49,1,yesterday", "Row 2: Enter a date."],
  ])("that says %j is refused with an explanation, and nothing changes", async (csv, words) => {
    const rep = await newRep(app);
    const id = await connect(rep);
    const refused = await upload(rep, id, csv);
    expect([refused.statusCode, refused.json().detail]).toEqual([422, expect.stringContaining(words)]);
    expect((await list(rep, id)).total).toBe(0);
  });
});

test("the sandbox has made-up prices, and its calls cost them", async () => {
  const rep = await newRep(app);
  expect(await rateOf(rep, speaking)).toEqual({
    rate: flatRate(10_000),
    description: "Sandbox, North America",
    isSandbox: true,
  });
  const callSid = await dial(app, rep, speaking);
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  expect((await hangUp(rep, callSid)).json()).toMatchObject({ costMicros: 10_000 });
});
