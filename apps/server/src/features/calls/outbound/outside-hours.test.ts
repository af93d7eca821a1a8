import { expect, test } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls(carrierModules);

/** Open for one minute, on the weekday furthest away. */
async function close(rep: Rep): Promise<void> {
  const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
  const openingHours = [{ day: days[(new Date().getUTCDay() + 3) % 7], opensAt: "09:00", closesAt: "09:01" }];
  const body = { timeZone: "UTC", openingHours };
  const changed = await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, { token: rep.token, body });
  expect(changed.statusCode).toBe(200);
}

const call = (rep: Rep, body: { phoneNumber?: string; askWhenClosed?: boolean; outsideHoursReason?: string }) =>
  app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: "+12025550100", ...body } });
const countCalls = async (rep: Rep) => (await app.ask("GET", "/v1/calls", { token: rep.token })).json().length;

test("while the organisation is closed, refuses a call so that the person can be asked, and dials and logs nothing", async () => {
  const rep = await newRep(app);
  await close(rep);
  const refused = await call(rep, { askWhenClosed: true });
  expect([refused.statusCode, refused.json().type]).toEqual([409, "/api/docs#outside-hours"]);
  expect(await countCalls(rep)).toBe(0);
  expect((await call(rep, { askWhenClosed: false })).statusCode).toBe(201);
});

test("asks about a number on the second line too, and the first call continues", async () => {
  const rep = await newRep(app);
  const callSid = await dial(app, rep, "+12025550100");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  await close(rep);
  const consult = (askWhenClosed: boolean) => {
    const body = { phoneNumber: "+12025550101", askWhenClosed };
    return app.ask("POST", `/v1/calls/${callSid}/consultation`, { token: rep.token, body });
  };
  const refused = await consult(true);
  expect([refused.statusCode, refused.json().type]).toEqual([409, "/api/docs#outside-hours"]);
  expect(await readCall(app, rep, callSid)).toMatchObject({ status: "in-progress", held: false });
  expect((await consult(false)).statusCode).toBe(201);
});

test("asks about the target of a transfer too, and the call continues", async () => {
  const rep = await newRep(app);
  const callSid = await dial(app, rep, "+12025550100");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  await close(rep);
  const transfer = (askWhenClosed: boolean) => {
    const body = { phoneNumber: "+12025550101", askWhenClosed };
    return app.ask("POST", `/v1/calls/${callSid}/transfer`, { token: rep.token, body });
  };
  const refused = await transfer(true);
  expect([refused.statusCode, refused.json().type]).toEqual([409, "/api/docs#outside-hours"]);
  expect(await readCall(app, rep, callSid)).toMatchObject({ status: "in-progress", transfer: null });
  expect((await transfer(false)).statusCode).toBe(200);
});

test("asks nobody about the hours of a call that is refused anyway", async () => {
  const rep = await newRep(app);
  await close(rep);
  await app.ask("POST", "/v1/do-not-call", { token: rep.token, body: { phoneNumber: "+12025550100" } });
  expect((await call(rep, { askWhenClosed: true })).json().type).toBe("/api/docs#do-not-call");
  const country = await call(rep, { phoneNumber: "+88213300655", askWhenClosed: true });
  expect(country.json().type).not.toBe("/api/docs#outside-hours");
});

test("places the call within the opening hours, or if none are set", async () => {
  const rep = await newRep(app);
  expect((await call(rep, { askWhenClosed: true })).statusCode).toBe(201);
});

/** No calling hours on the callee's current weekday, nor on the days around it. */
async function setCallingHours(rep: Rep): Promise<void> {
  const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
  const callingHours = [{ day: days[(new Date().getUTCDay() + 3) % 7], opensAt: "09:00", closesAt: "09:01" }];
  const changed = await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, {
    token: rep.token,
    body: { callingHours },
  });
  expect(changed.json()).toMatchObject({ callingHours });
}
const outsideHoursReason = "They asked for this time";

test("outside the callee’s calling hours every call needs a reason, which the log shows; without one nothing is dialled", async () => {
  const rep = await newRep(app);
  await setCallingHours(rep);
  for (const askWhenClosed of [true, false]) {
    const refused = await call(rep, { askWhenClosed });
    expect([refused.statusCode, refused.json().type]).toEqual([409, "/api/docs#outside-calling-hours"]);
    expect(refused.json().detail).toMatch(
      /^It’s \d\d:\d\d on \w+ where this number is \(New York\), outside your calling hours\.$/,
    );
  }
  expect(await countCalls(rep)).toBe(0);
  expect((await call(rep, { outsideHoursReason: " x " })).statusCode).toBe(422);
  const placed = await call(rep, { askWhenClosed: true, outsideHoursReason });
  expect(placed.statusCode).toBe(201);
  const [listed] = (await app.ask("GET", "/v1/calls", { token: rep.token })).json();
  expect(listed).toMatchObject({ callSid: placed.json().callSid, hoursOverride: outsideHoursReason });
});

test("second-line calls and transfers need a reason as well; within the hours none is stored", async () => {
  const rep = await newRep(app);
  const { callSid } = (await call(rep, { outsideHoursReason })).json();
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  expect(await readCall(app, rep, callSid)).toMatchObject({ hoursOverride: null });
  await setCallingHours(rep);
  for (const verb of ["transfer", "consultation"]) {
    const body = { phoneNumber: "+12025550101" };
    const refused = await app.ask("POST", `/v1/calls/${callSid}/${verb}`, { token: rep.token, body });
    expect([verb, refused.json().type]).toEqual([verb, "/api/docs#outside-calling-hours"]);
  }
  const body = { phoneNumber: "+12025550101", outsideHoursReason };
  const sent = await app.ask("POST", `/v1/calls/${callSid}/transfer`, { token: rep.token, body });
  expect([sent.statusCode, sent.json().hoursOverride]).toEqual([200, `transfer: ${outsideHoursReason}`]);
});

test("a transfer’s reason is added to the call’s own", async () => {
  const rep = await newRep(app);
  await setCallingHours(rep);
  const { callSid } = (await call(rep, { outsideHoursReason })).json();
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  const body = { phoneNumber: "+12025550101", outsideHoursReason: "Works nights" };
  const sent = await app.ask("POST", `/v1/calls/${callSid}/transfer`, { token: rep.token, body });
  expect([sent.statusCode, sent.json().hoursOverride]).toEqual([200, `${outsideHoursReason}; transfer: Works nights`]);
});
