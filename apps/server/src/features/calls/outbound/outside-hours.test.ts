import { expect, test } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls(carrierModules);

/** Open for a minute, on the day that is furthest away. */
async function close(rep: Rep): Promise<void> {
  const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
  const openingHours = [{ day: days[(new Date().getUTCDay() + 3) % 7], opensAt: "09:00", closesAt: "09:01" }];
  const body = { timeZone: "UTC", openingHours };
  const changed = await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, { token: rep.token, body });
  expect(changed.statusCode).toBe(200);
}

const call = (rep: Rep, body: { phoneNumber?: string; askWhenClosed?: boolean }) =>
  app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: "+12025550100", ...body } });
const countCalls = async (rep: Rep) => (await app.ask("GET", "/v1/calls", { token: rep.token })).json().length;

test("while the organisation is closed a call is refused so that the person can be asked, and nothing is dialled or logged", async () => {
  const rep = await newRep(app);
  await close(rep);
  const refused = await call(rep, { askWhenClosed: true });
  expect([refused.statusCode, refused.json().type]).toEqual([409, "/api/docs#outside-hours"]);
  expect(await countCalls(rep)).toBe(0);
  expect((await call(rep, { askWhenClosed: false })).statusCode).toBe(201);
});

test("a number beside a call is asked about as well, and the call goes on", async () => {
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

test("a number to which a call is sent is asked about as well, and the call goes on", async () => {
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

test("nobody is asked about the hours of a call that is refused anyway", async () => {
  const rep = await newRep(app);
  await close(rep);
  await app.ask("POST", "/v1/do-not-call", { token: rep.token, body: { phoneNumber: "+12025550100" } });
  expect((await call(rep, { askWhenClosed: true })).json().type).toBe("/api/docs#do-not-call");
  const country = await call(rep, { phoneNumber: "+88213300655", askWhenClosed: true });
  expect(country.json().type).not.toBe("/api/docs#outside-hours");
});

test("within the opening hours, and where there are none, a call that may be asked about is placed", async () => {
  const rep = await newRep(app);
  expect((await call(rep, { askWhenClosed: true })).statusCode).toBe(201);
});
