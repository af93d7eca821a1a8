import { describe, expect, test } from "vitest";
import { joinOrganisation, registerPerson, type TestPerson } from "../../testing/test-app.ts";
import { limitRequests } from "../../testing/limit-requests.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { isCostlyNumber } from "./costly-numbers.ts";

const app = testAppWithCalls();
const { call, hangUp, put, get } = limitRequests(app);

const withoutLimits = {
  allowedCountries: null,
  concurrentCalls: null,
  callsPerMinute: null,
  dailySpend: null,
  ratePerMinute: null,
  callMinutes: null,
};

const colleagues = (owner: Rep, count: number): Promise<TestPerson[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const person = await registerPerson(app);
      await joinOrganisation(app, person, { organisationId: owner.organisationId, role: "member" });
      return person;
    }),
  );

describe("limits", () => {
  test("default to the default country only, ten calls, thirty a minute, fifty dollars a day, four hours a call", async () => {
    const owner = await newRep(app);
    const start = {
      allowedCountries: ["US"],
      concurrentCalls: 10,
      callsPerMinute: 30,
      dailySpend: 50_000_000,
      dailySpendIsDefault: true,
      callMinutes: 240,
      blockedPrefixes: [],
      ratePerMinute: null,
      used: { concurrentCalls: 0, callsPerMinute: 0, dailySpend: 0, unpricedCalls: 0 },
      own: { ...withoutLimits, blockedPrefixes: [] },
    };
    expect((await get(owner)).json()).toEqual(start);
    const inBritain = await registerPerson(app);
    const body = { name: "Thames", defaultCountry: "GB" };
    await app.ask("POST", "/v1/organisations", { token: inBritain.token, body });
    expect((await get(inBritain)).json()).toEqual({ ...start, allowedCountries: ["GB"] });
  });

  test("are read by members, and changed one by one by admins", async () => {
    const owner = await newRep(app);
    const [member] = await colleagues(owner, 1);
    if (!member) throw new Error("nobody joined");
    expect((await put(member, { concurrentCalls: 100 })).statusCode).toBe(403);
    const changed = await put(owner, { allowedCountries: ["GB", "DE", "GB"], dailySpend: 10_000 });
    expect(changed.json()).toMatchObject({ allowedCountries: ["DE", "GB"], concurrentCalls: 10, dailySpend: 10_000 });
    expect((await put(owner, { concurrentCalls: 3 })).json()).toMatchObject({ allowedCountries: ["DE", "GB"] });
    expect((await get(member)).json()).toMatchObject({ concurrentCalls: 3, dailySpend: 10_000 });
    for (const wrong of [
      { concurrentCalls: 0 },
      { callsPerMinute: 2.5 },
      { callMinutes: 0 },
      { callMinutes: 1441 },
      { dailySpend: -10_000 },
      { allowedCountries: ["XX"] },
    ]) {
      expect((await put(owner, wrong)).statusCode).toBe(422);
    }
  });

  test("on spending accept whole cents, and refuse a fraction with the form's message", async () => {
    const owner = await newRep(app);
    const refused = await put(owner, { dailySpend: 12_345_678 });
    expect(refused.statusCode).toBe(422);
    const message = "Enter dollars with at most two decimals, such as 12.50.";
    expect(refused.json().errors).toEqual([{ field: "dailySpend", message }]);
    expect((await put(owner, { dailySpend: 12_350_000 })).json()).toMatchObject({ dailySpend: 12_350_000 });
  });
});

describe("a call", () => {
  test("is limited to allowed countries, and +1 isn't a single country", async () => {
    const owner = await newRep(app);
    for (const [number, country] of [
      ["+4930901820", "Germany"],
      ["+14165550123", "Canada"],
      ["+18765550123", "Jamaica"],
      ["+17875550123", "Puerto Rico"],
      ["+442079460714", "the United Kingdom"],
    ] as const) {
      const refused = await call(owner, number);
      expect({ number, status: refused.statusCode }).toEqual({ number, status: 403 });
      expect(refused.json()).toMatchObject({
        type: "/api/docs#country-not-allowed",
        detail: `Your organisation doesn’t allow calls to ${country}. An admin can allow them under Settings, Limits.`,
      });
    }
    await put(owner, { allowedCountries: ["DE", "US"] });
    const allowed = await call(owner, "+4930901820");
    expect(allowed.statusCode).toBe(201);
    await hangUp(owner, allowed.json().callSid);
    expect((await call(owner, "+14165550123")).statusCode).toBe(403);
    expect((await app.ask("GET", "/v1/calls", { token: owner.token })).json()).toHaveLength(1);
  });

  test("to the sandbox's own numbers are allowed in every country, and to no other number there", async () => {
    const inBritain = await registerPerson(app);
    const body = { name: "Thames", defaultCountry: "GB", openingHours: [] };
    await app.ask("POST", "/v1/organisations", { token: inBritain.token, body });
    const ask = (phoneNumber: string) =>
      app.ask("POST", "/v1/calls", { token: inBritain.token, body: { phoneNumber } });
    expect((await ask("+12125550123")).json()).toMatchObject({ type: "/api/docs#country-not-allowed" });
    expect((await ask("+12025550100")).statusCode).toBe(201);
  });

  test("never goes to a premium-rate, shared-cost, personal, pager or satellite number", async () => {
    const owner = await newRep(app);
    const allowedCountries = "US CA GB DE FR AT CH IT ES JP AU NL PT ZA FI IE BG CL IN BR".split(" ");
    await put(owner, { allowedCountries });
    const premium = ["+19005550123", "+449098790123", "+499001234567", "+33892123456", "+12129761234"];
    const shared = ["+491801234567", "+491371234567", "+33821234567", "+43810123456", "+41848123456", "+39848123456"];
    const sharedToo = [
      "+34902123456",
      "+611300123456",
      "+3531890123456",
      "+35970012345",
      "+566001234567",
      "+9118601234567",
    ];
    const others = [
      "+447012345678",
      "+447600123456",
      "+4970012345678",
      "+81570123456",
      "+351707123456",
      "+27861123456",
    ];
    const satellite = ["+881612345678", "+870773123456", "+8821612345678", "+61147123456", "+16002345678"];
    for (const number of [
      ...premium,
      ...shared,
      ...sharedToo,
      ...others,
      ...satellite,
      "+31841234567",
      "+358600123456",
    ]) {
      const refused = await call(owner, number);
      expect({ number, type: refused.json().type }).toEqual({ number, type: "/api/docs#number-blocked" });
    }
  });

  test("is refused for a number that belongs to no country", async () => {
    const freephone = await call(await newRep(app), "+80012345678");
    expect(freephone.json().detail).toBe("Your organisation doesn’t allow calls to numbers outside every country.");
  });

  test("still reaches ordinary numbers that look special", () => {
    expect(isCostlyNumber("+88233123456")).toBe(true);
    for (const number of ["+443001234567", "+353818123456", "+18005550123", "+4932123456789", "+4930901820"])
      expect({ number, isCostly: isCostlyNumber(number) }).toEqual({ number, isCostly: false });
  });

  test("to a number without a country code goes to the organisation's default country", async () => {
    const owner = await newRep(app);
    const body = { defaultCountry: "DE" };
    await app.ask("PUT", `/v1/organisations/${owner.organisationId}`, { token: owner.token, body });
    await put(owner, { allowedCountries: ["DE"] });
    const started = await call(owner, "030 901820");
    expect(started.statusCode).toBe(201);
    const { callSid } = started.json();
    expect((await app.ask("GET", `/v1/calls/${callSid}`, { token: owner.token })).json().phoneNumber).toBe(
      "+4930901820",
    );
    await hangUp(owner, callSid);
  });

  test("in a burst gets through only while the organisation has fewer live calls than its limit", async () => {
    const owner = await newRep(app);
    const people = await colleagues(owner, 11);
    await put(owner, { concurrentCalls: 3 });
    const burst = await Promise.all(
      [owner, ...people].map(async (by) => ({ by, answer: await call(by, "+12025550100") })),
    );
    const through = burst.filter(({ answer }) => answer.statusCode === 201);
    expect(through).toHaveLength(3);
    const refused = burst.filter(({ answer }) => answer.statusCode === 429);
    expect(refused).toHaveLength(9);
    expect(refused[0]?.answer.json()).toMatchObject({
      type: "/api/docs#limit-reached",
      detail:
        "Your organisation has reached its limit of 3 simultaneous calls. Wait until one ends, or ask an admin to raise the limit under Settings, Limits.",
    });
    expect((await get(owner)).json().used).toMatchObject({ concurrentCalls: 3, callsPerMinute: 3 });
    await Promise.all(through.map(({ by, answer }) => hangUp(by, answer.json().callSid)));
    const [next] = refused;
    if (!next) throw new Error("nobody was refused");
    const again = await call(next.by, "+12025550100");
    expect(again.statusCode).toBe(201);
    await hangUp(next.by, again.json().callSid);
  });

  test("in a burst gets through only while fewer began within the minute, however short they were", async () => {
    const owner = await newRep(app);
    const people = await colleagues(owner, 7);
    await put(owner, { callsPerMinute: 5 });
    const burst = await Promise.all(
      people.map(async (by) => {
        const answer = await call(by, "+12025550100");
        if (answer.statusCode === 201) await hangUp(by, answer.json().callSid);
        return answer;
      }),
    );
    expect(burst.filter(({ statusCode }) => statusCode === 201)).toHaveLength(5);
    const refused = burst.find(({ statusCode }) => statusCode === 429);
    expect(Number(refused?.headers["retry-after"])).toBe(60);
    expect(refused?.json().detail).toContain("has reached its limit of 5 calls a minute");
  });

  test("aren't affected by another organisation's calls", async () => {
    const [one, other] = [await newRep(app), await newRep(app)];
    await put(one, { concurrentCalls: 1 });
    await put(other, { concurrentCalls: 1 });
    const first = await call(one, "+12025550100");
    const second = await call(other, "+12025550100");
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    await hangUp(one, first.json().callSid);
    await hangUp(other, second.json().callSid);
  });
});
