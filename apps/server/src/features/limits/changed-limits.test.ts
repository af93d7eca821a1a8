import type { CallRate } from "@leadline/contract/rates";
import { expect, test } from "vitest";
import { flatRate } from "../../testing/flat-rate.ts";
import { limitRequests } from "../../testing/limit-requests.ts";
import { newRep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";
import { refuseOverLimits } from "./refuse-over-limits.ts";
import { removePassword } from "../users/replace-password.ts";

const app = testAppWithCalls();
const { call, hangUp, put, get } = limitRequests(app);

test("a change of the default country, which needs no password, doesn't widen limits", async () => {
  const owner = await newRep(app);
  const country = (defaultCountry: string) =>
    app.ask("PUT", `/v1/organisations/${owner.organisationId}`, { token: owner.token, body: { defaultCountry } });
  for (const changed of ["DE", "GB"]) {
    expect((await country(changed)).statusCode).toBe(200);
    expect((await get(owner)).json().allowedCountries).toEqual(["US"]);
  }
});

test("limits are lowered without a password, and raised or removed only with one’s own", async () => {
  const owner = await newRep(app);
  const bare = (body: object) => app.ask("PUT", "/v1/limits", { token: owner.token, body });
  const lower = {
    allowedCountries: [],
    blockedPrefixes: ["+1 202", "+1-202-555", "0044 70"],
    concurrentCalls: 2,
    callsPerMinute: 3,
    dailySpend: 1_000_000,
    ratePerMinute: 100_000,
    callMinutes: 5,
  };
  const lowered = await bare(lower);
  expect(lowered.json()).toMatchObject({ ...lower, blockedPrefixes: ["+1202", "+1202555", "+4470"] });
  // A shorter prefix covers the longer one.
  expect((await bare({ blockedPrefixes: ["+1202", "+4470"] })).statusCode).toBe(200);
  for (const higher of [
    { allowedCountries: ["US"] },
    { blockedPrefixes: ["+1202555", "+4470"] },
    { concurrentCalls: 3 },
    { callsPerMinute: 4 },
    { dailySpend: 1_010_000 },
    { ratePerMinute: 100_100 },
    { ratePerMinute: null },
    { callMinutes: 6 },
  ]) {
    const refused = await bare(higher);
    expect([higher, refused.statusCode, refused.json().type]).toEqual([higher, 403, "/api/docs#password-required"]);
    const wrong = await bare({ ...higher, currentPassword: "not mine" });
    expect([wrong.statusCode, wrong.json().type]).toEqual([401, "/api/docs#wrong-credentials"]);
  }
  const { used: _used, own: _own, dailySpendIsDefault, ...kept } = (await get(owner)).json();
  expect(kept).toEqual({ ...lower, blockedPrefixes: ["+1202", "+4470"] });
  expect(dailySpendIsDefault).toBe(false);
  expect((await put(owner, { callMinutes: 6, allowedCountries: ["US"] })).statusCode).toBe(200);
});

test("a person without a password can't widen limits, and is told how to set one", async () => {
  const owner = await newRep(app);
  await app.database.withTransaction({ userId: owner.id }, (tx) => removePassword(tx, owner.id));
  const refused = await put(owner, { concurrentCalls: 11 });
  expect([refused.statusCode, refused.json().detail]).toEqual([
    403,
    "Enter your password to raise or remove a limit. You don’t have one yet because you use single sign-on. To set one, use Forgot your password on the login page.",
  ]);
  expect((await put(owner, { concurrentCalls: 9 })).statusCode).toBe(200);
});

test("a call goes to no number with a blocked prefix, even in an allowed country", async () => {
  const owner = await newRep(app);
  await put(owner, { blockedPrefixes: ["+1202556"] });
  const refused = await call(owner, "+12025560100");
  expect([refused.statusCode, refused.json().type, refused.json().detail]).toEqual([
    403,
    "/api/docs#prefix-blocked",
    "Your organisation doesn’t allow calls to numbers that start with +1202556. An admin can allow them under Settings, Limits.",
  ]);
  const allowed = await call(owner, "+12025550100");
  expect(allowed.statusCode).toBe(201);
  await hangUp(owner, allowed.json().callSid);
});

test("a call with a price per minute above the highest allowed is refused, also as a transfer", async () => {
  const owner = await newRep(app);
  const { rate } = (await app.ask("GET", "/v1/rates/number?phoneNumber=%2B12025550100", { token: owner.token })).json();
  const price = rate.perMinuteMicros;
  expect(price).toBeGreaterThan(100);
  await put(owner, { ratePerMinute: price });
  const { callSid } = (await call(owner, "+12025550100")).json();
  await waitForStatus(app, owner, { callSid, status: "in-progress" });
  await put(owner, { ratePerMinute: price - 100 });
  const body = { phoneNumber: "+12025550101" };
  const transfer = await app.ask("POST", `/v1/calls/${callSid}/transfer`, { token: owner.token, body });
  await hangUp(owner, callSid);
  for (const refused of [transfer, await call(owner, "+12025550100")]) {
    expect([refused.statusCode, refused.json().type]).toEqual([403, "/api/docs#rate-too-high"]);
    expect(refused.json().detail).toMatch(
      /^Your organisation doesn’t allow calls that cost more than \$[\d.]+ a minute/,
    );
  }
});

test("the highest price per minute applies to what the first minute costs, with the fee and the increment", async () => {
  const owner = await newRep(app);
  const { organisationId, id: userId } = owner;
  await put(owner, { ratePerMinute: 10_000 });
  const check = (rate: Partial<CallRate>) =>
    app.database.withTransaction({ organisationId }, (tx) =>
      refuseOverLimits(tx, {
        organisationId,
        userId,
        phoneNumber: "+12025550100",
        rate: { ...flatRate(10_000), ...rate },
      }),
    );
  await check({});
  await check({ perMinuteMicros: 9_000, connectionFeeMicros: 1_000 });
  await expect(check({ connectionFeeMicros: 1 })).rejects.toThrow("a minute, and this one costs $0.010001");
  await expect(check({ perMinuteMicros: 1, connectionFeeMicros: 5_000_000 })).rejects.toThrow("$5.000001");
  await expect(check({ perMinuteMicros: 9_000, firstSeconds: 3_600 })).rejects.toThrow("$0.54");
  await expect(check({ firstSeconds: 1, nextSeconds: 600 })).rejects.toThrow("this one costs");
});
